import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ReactNode } from "react";
import { GradeChip } from "../../card/chips.tsx";
import { notesOf } from "../../card/row-messages.ts";
import { EstimateCell, LastSale, MarketData, OfferCell } from "../prices/price-cells.tsx";
import { ReviewCell } from "../review/ReviewCell.tsx";
import { Certification, CustomerPrice, FieldText, ItemName, Population, Price } from "../row/cells.tsx";
import type { CellProps } from "../row/row-context.ts";
import { Thumbs } from "../row/Thumbs.tsx";
import { RowCheckbox } from "../selection/SelectBox.tsx";

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
  cell: (props: CellProps) => ReactNode;
};

/**
 * The result columns with their exact required headers (docs/conformance.md, 2.3), and our own: Processed, Notes,
 * Population and Buy Offer. Most-read columns come first. Widths fit the header and typical values: "BASKETBALL CARDS",
 * "1401019289294", "10 GEM MINT", "2018-19". On a 1440-pixel screen, the price is the last visible column, or the market
 * data if there are prices.
 */
export const RESULT_COLUMNS: readonly ResultColumn[] = [
  { id: "images", header: "Images", width: 88, isAlwaysShown: true, hasFixedWidth: true, cell: Thumbs },
  { id: "itemName", header: "Item Name", width: 180, isFlexible: true, isAlwaysShown: true, cell: ItemName },
  { id: "certification", header: "Certification", width: 168, cell: Certification },
  { id: "grade", header: "Grade", width: 118, cell: ({ row }) => <GradeChip grade={row.grade} /> },
  {
    id: "processedAt",
    header: "Processed",
    width: 158,
    cell: ({ row: { processedAt: at } }) => at !== null && <time dateTime={at}>{formatMoment(at)}</time>,
  },
  { id: "year", header: "Year", width: 72, align: "end", cell: ({ row }) => <FieldText value={row.year} /> },
  { id: "sport", header: "Sport/Game", width: 144, cell: ({ row }) => <FieldText value={row.sport} /> },
  {
    id: "cardNumber",
    header: "Card Number",
    width: 96,
    align: "end",
    cell: ({ row }) => <FieldText value={row.cardNumber} />,
  },
  { id: "price", header: "Price", width: 84, align: "end", cell: Price },
  { id: "customerPrice", header: "Customer Price", width: 120, align: "end", cell: CustomerPrice },
  { id: "notes", header: "Notes", width: 180, cell: ({ row }) => <FieldText value={notesOf(row)} /> },
  { id: "population", header: "Population", width: 176, cell: Population },
  { id: "player", header: "Player/Character", width: 180, cell: ({ row }) => <FieldText value={row.player} /> },
  { id: "brand", header: "Brand/Set", width: 240, cell: ({ row }) => <FieldText value={row.brand} /> },
  { id: "language", header: "Language", width: 96, cell: ({ row }) => <FieldText value={row.language} /> },
  {
    id: "inventoryName",
    header: "Inventory Name",
    width: 360,
    cell: ({ row }) => <FieldText value={row.inventoryName} />,
  },
  {
    id: "cardladderEstimate",
    header: "CardLadder Estimate",
    width: 112,
    align: "end",
    cell: (cell) => EstimateCell({ ...cell, source: "cardladder" }),
  },
  { id: "marketData", header: "Market Data", width: 238, align: "end", cell: MarketData },
  {
    id: "cardsiqEstimate",
    header: "CardsIQ Estimate",
    width: 96,
    align: "end",
    cell: (cell) => EstimateCell({ ...cell, source: "cardsiq" }),
  },
  { id: "cardsiqLastSale", header: "CardsIQ Last Sale", width: 136, align: "end", cell: LastSale },
  { id: "buyOffer", header: "Buy Offer", width: 104, align: "end", cell: OfferCell },
];

const SELECT: ResultColumn = {
  id: "select",
  header: "Selected",
  head: "selects",
  width: 34,
  hasFixedWidth: true,
  cell: RowCheckbox,
};

const REVIEW: ResultColumn = {
  id: "review",
  header: "Needs review",
  head: "message",
  width: 304,
  hasFixedWidth: true,
  cell: ReviewCell,
};

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
export const HIDEABLE_COLUMN_IDS: readonly string[] = RESULT_COLUMNS.filter(({ isAlwaysShown }) => !isAlwaysShown).map(
  ({ id }) => id,
);

/** Shown if there are offers, in the history, or if the user turns it on. */
export const OFFER_COLUMN_ID = "buyOffer";
export const PROCESSED_COLUMN_ID = "processedAt";
export const ON_DEMAND_COLUMN_IDS: readonly string[] = [OFFER_COLUMN_ID, PROCESSED_COLUMN_ID];

export const COLUMNS_BY_ID: ReadonlyMap<string, ResultColumn> = new Map(
  RESULT_COLUMNS.map((column) => [column.id, column]),
);

export const headerOf = (id: string): string => COLUMNS_BY_ID.get(id)?.header ?? id;
