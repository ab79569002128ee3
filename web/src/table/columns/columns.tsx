import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReactNode } from "react";
import { FieldText, GradeChip } from "../../card/chips.tsx";
import { notesOf, populationMessage } from "../../card/row-messages.ts";
import { EstimateCell, LastSale, MarketData, OfferCell } from "../prices/price-cells.tsx";
import { ReviewCell } from "../review/ReviewCell.tsx";
import { Certification, CustomerPrice, ItemName, nameText, Population, Price } from "../row/cells.tsx";
import type { CellProps } from "../row/row-context.ts";
import { Thumbs } from "../row/Thumbs.tsx";
import { RowCheckbox } from "../row/SelectBox.tsx";

type Cell = (props: CellProps) => ReactNode;
type FieldOf = (row: ResultRow) => string | null;

/** A result column as it is by default. `width` in CSS pixels. */
export type ResultColumn = {
  id: string;
  header: string;
  /** Takes the free width of the table unless the user has resized it; `width` is then the least. */
  isFlexible?: true;
  /** What the header shows instead of a label that sorts: a plain label, or the checkbox that selects all rows. */
  head?: "message" | "selects";
  width: number;
  align?: "end";
  isAlwaysShown?: true;
  hasFixedWidth?: true;
  /** Called by the row, without a component of its own, so it has no hooks. */
  cell: Cell;
  /** The text of a row that is only scrolled past, which costs a tenth of `cell`. By default, none. */
  text?: (row: ResultRow) => ReactNode;
};

function column(id: string, header: string, width: number, cell: Cell, more: Partial<ResultColumn> = {}): ResultColumn {
  return { id, header, width, cell, ...more };
}

/** A column with a field of the card. */
function fieldColumn(id: string, header: string, width: number, text: FieldOf, align?: "end"): ResultColumn {
  const cell: Cell = ({ row }) => <FieldText value={text(row)} />;
  return { id, header, width, cell, text, ...(align && { align }) };
}

function Processed({ row: { processedAt: at } }: CellProps) {
  return at !== null && <time dateTime={at}>{formatMoment(at)}</time>;
}

/**
 * The result columns with their exact required headers (docs/conformance.md, 2.3), and our own: Processed, Notes,
 * Population and Buy Offer. Most-read columns come first. Widths fit the header and typical values: "BASKETBALL CARDS",
 * "1401019289294", "10 GEM MINT", "2018-19". On a 1440-pixel screen, the price is the last visible column, or the market
 * data if there are prices.
 */
export const RESULT_COLUMNS: readonly ResultColumn[] = [
  column("images", "Images", 88, Thumbs, { isAlwaysShown: true, hasFixedWidth: true }),
  column("itemName", "Item Name", 180, ItemName, { text: nameText, isFlexible: true, isAlwaysShown: true }),
  column("certification", "Certification", 168, Certification, {
    text: ({ gradingCompany, certNumber }) => `${gradingCompany} ${certNumber}`,
  }),
  column("grade", "Grade", 118, ({ row }) => <GradeChip grade={row.grade} />, { text: (row) => row.grade }),
  column("processedAt", "Processed", 158, Processed),
  fieldColumn("year", "Year", 72, (row) => row.year, "end"),
  fieldColumn("sport", "Sport/Game", 144, (row) => row.sport),
  fieldColumn("cardNumber", "Card Number", 96, (row) => row.cardNumber, "end"),
  column("price", "Price", 84, Price, { text: (row) => row.priceText, align: "end" }),
  column("customerPrice", "Customer Price", 120, CustomerPrice, { text: (row) => row.customerPrice, align: "end" }),
  fieldColumn("notes", "Notes", 180, notesOf),
  column("population", "Population", 176, Population, { text: populationMessage }),
  fieldColumn("player", "Player/Character", 180, (row) => row.player),
  fieldColumn("brand", "Brand/Set", 240, (row) => row.brand),
  fieldColumn("language", "Language", 96, (row) => row.language),
  fieldColumn("inventoryName", "Inventory Name", 360, (row) => row.inventoryName),
  column("cardladderEstimate", "CardLadder Estimate", 112, (cell) => EstimateCell({ ...cell, source: "cardladder" }), {
    align: "end",
  }),
  column("marketData", "Market Data", 238, MarketData, { align: "end" }),
  column("cardsiqEstimate", "CardsIQ Estimate", 96, (cell) => EstimateCell({ ...cell, source: "cardsiq" }), {
    align: "end",
  }),
  column("cardsiqLastSale", "CardsIQ Last Sale", 136, LastSale, { align: "end" }),
  column("buyOffer", "Buy Offer", 104, OfferCell, { align: "end" }),
];

const SELECT = column("select", "Selected", 34, RowCheckbox, { head: "selects", hasFixedWidth: true });
const REVIEW = column("review", "Needs review", 304, ReviewCell, { head: "message", hasFixedWidth: true });

/** Columns that users can't move. They are pinned before the arranged columns. */
export const LEADING_COLUMNS: readonly ResultColumn[] = [SELECT];
export const LEADING_REVIEW_COLUMNS: readonly ResultColumn[] = [SELECT, REVIEW];

/** Pinned at the left edge by default, so that a row stays identifiable when the columns scroll. */
export const PINNED_COLUMN_IDS: readonly string[] = ["images", "itemName"];

export const COLUMN_IDS: readonly string[] = RESULT_COLUMNS.map(({ id }) => id);

/** The leading columns of a session with prices. Market values follow the sheet's price. */
const IN_FRONT_WITH_PRICES: readonly string[] =
  "images itemName certification grade price cardladderEstimate marketData cardsiqEstimate buyOffer".split(" ");
export const PRICED_COLUMN_IDS: readonly string[] = [
  ...IN_FRONT_WITH_PRICES,
  ...COLUMN_IDS.filter((id) => !IN_FRONT_WITH_PRICES.includes(id)),
];
export const HIDEABLE_COLUMN_IDS = RESULT_COLUMNS.filter(({ isAlwaysShown }) => !isAlwaysShown).map(({ id }) => id);

/** Shown if there are offers, in the history, or if the user turns it on. */
export const OFFER_COLUMN_ID = "buyOffer";
export const PROCESSED_COLUMN_ID = "processedAt";
export const ON_DEMAND_COLUMN_IDS: readonly string[] = [OFFER_COLUMN_ID, PROCESSED_COLUMN_ID];

export const COLUMNS_BY_ID: ReadonlyMap<string, ResultColumn> = new Map(RESULT_COLUMNS.map((one) => [one.id, one]));

export const headerOf = (id: string): string => COLUMNS_BY_ID.get(id)?.header ?? id;
