import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import type { ReactNode } from "react";
import { GradeChip } from "../../card/chips.tsx";
import { Amount, Certification, CustomerPrice, FieldText, ItemName, Moment, Price } from "../row/cells.tsx";
import { EstimateCell } from "../prices/EstimateCell.tsx";
import { MarketData } from "../prices/MarketData.tsx";
import { OfferCell } from "../prices/OfferCell.tsx";
import { notesOf } from "../../card/row-messages.ts";
import { ReviewCell } from "../review/ReviewCell.tsx";
import type { RowContext } from "../row/row-context.ts";
import { Population } from "../row/Population.tsx";
import { Thumbs } from "../row/Thumbs.tsx";
import { RowCheckbox } from "../selection/SelectBox.tsx";

/**
 * `RowContext` plus the row's own state. `tabIndex` is 0 in the active row only, so that Tab doesn't visit 20,000 rows.
 */
export type CellContext = RowContext & { tabIndex: number; isSelected: boolean };

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
  cell: (row: ResultRow, context: CellContext) => ReactNode;
};

/**
 * The result columns with their exact required headers (docs/conformance.md, 2.3), and our own: Processed, Notes,
 * Population and Buy Offer. Most-read columns come first. Widths in pixels fit the header and typical values: "BASKETBALL CARDS", "1401019289294", "10 GEM MINT", "2018-19". On a
 * 1440-pixel screen, the price is the last visible column, or the market data if there are prices.
 */
export const RESULT_COLUMNS: readonly ResultColumn[] = [
  {
    id: "images",
    header: "Images",
    width: 88,
    isAlwaysShown: true,
    hasFixedWidth: true,
    cell: (row, { tabIndex, onOpen, onSwap }) => (
      <Thumbs row={row} tabIndex={tabIndex} onOpen={onOpen} onSwap={onSwap} />
    ),
  },
  {
    id: "itemName",
    header: "Item Name",
    width: 180,
    isFlexible: true,
    isAlwaysShown: true,
    cell: (row, context) => <ItemName row={row} tabIndex={context.tabIndex} context={context} />,
  },
  {
    id: "certification",
    header: "Certification",
    width: 168,
    cell: (row, context) => <Certification row={row} tabIndex={context.tabIndex} context={context} />,
  },
  { id: "grade", header: "Grade", width: 118, cell: (row) => <GradeChip grade={row.grade} /> },
  { id: "processedAt", header: "Processed", width: 158, cell: (row) => <Moment at={row.processedAt} /> },
  { id: "year", header: "Year", width: 72, align: "end", cell: (row) => <FieldText value={row.year} /> },
  { id: "sport", header: "Sport/Game", width: 144, cell: (row) => <FieldText value={row.sport} /> },
  {
    id: "cardNumber",
    header: "Card Number",
    width: 96,
    align: "end",
    cell: (row) => <FieldText value={row.cardNumber} />,
  },
  { id: "price", header: "Price", width: 84, align: "end", cell: (row) => <Price row={row} /> },
  {
    id: "customerPrice",
    header: "Customer Price",
    width: 120,
    align: "end",
    cell: (row) => <CustomerPrice row={row} />,
  },
  { id: "notes", header: "Notes", width: 180, cell: (row) => <FieldText value={notesOf(row)} /> },
  { id: "population", header: "Population", width: 176, cell: (row) => <Population row={row} /> },
  { id: "player", header: "Player/Character", width: 180, cell: (row) => <FieldText value={row.player} /> },
  { id: "brand", header: "Brand/Set", width: 240, cell: (row) => <FieldText value={row.brand} /> },
  { id: "language", header: "Language", width: 96, cell: (row) => <FieldText value={row.language} /> },
  { id: "inventoryName", header: "Inventory Name", width: 360, cell: (row) => <FieldText value={row.inventoryName} /> },
  {
    id: "cardladderEstimate",
    header: "CardLadder Estimate",
    width: 112,
    align: "end",
    cell: (row, { tabIndex, prices }) => (
      <EstimateCell row={row} source="cardladder" tabIndex={tabIndex} context={prices} />
    ),
  },
  {
    id: "marketData",
    header: "Market Data",
    width: 238,
    align: "end",
    cell: (row, { tabIndex, prices }) => <MarketData row={row} tabIndex={tabIndex} context={prices} />,
  },
  {
    id: "cardsiqEstimate",
    header: "CardsIQ Estimate",
    width: 96,
    align: "end",
    cell: (row, { tabIndex, prices }) => (
      <EstimateCell row={row} source="cardsiq" tabIndex={tabIndex} context={prices} />
    ),
  },
  {
    id: "cardsiqLastSale",
    header: "CardsIQ Last Sale",
    width: 136,
    align: "end",
    cell: (row) => <Amount value={row.cardsiq?.lastSalePrice} isExpected={isFound(row)} />,
  },
  {
    id: "buyOffer",
    header: "Buy Offer",
    width: 104,
    align: "end",
    cell: (row, { prices }) => <OfferCell row={row} rule={prices.offerRule} />,
  },
];

const SELECT: ResultColumn = {
  id: "select",
  header: "Selected",
  head: "selects",
  width: 34,
  hasFixedWidth: true,
  cell: (row, { tabIndex, isSelected, onSelect }) => (
    <RowCheckbox row={row} tabIndex={tabIndex} isSelected={isSelected} onSelect={onSelect} />
  ),
};

const REVIEW: ResultColumn = {
  id: "review",
  header: "Needs review",
  head: "message",
  width: 304,
  hasFixedWidth: true,
  cell: (row, { tabIndex, review }) => <ReviewCell row={row} tabIndex={tabIndex} review={review} />,
};

/** Columns that users can't move. They are pinned before the arranged columns. */
export const LEADING_COLUMNS: readonly ResultColumn[] = [SELECT];
export const LEADING_REVIEW_COLUMNS: readonly ResultColumn[] = [SELECT, REVIEW];

/** Pinned at the left edge by default, so that a row stays identifiable when the columns scroll. */
export const PINNED_COLUMN_IDS: readonly string[] = ["images", "itemName"];

export const COLUMN_IDS: readonly string[] = RESULT_COLUMNS.map(({ id }) => id);

/** The leading columns of a session with prices. Market values follow the sheet's price. */
const IN_FRONT_WITH_PRICES: readonly string[] = [
  "images",
  "itemName",
  "certification",
  "grade",
  "price",
  "cardladderEstimate",
  "marketData",
  "cardsiqEstimate",
  "buyOffer",
];
export const PRICED_COLUMN_IDS: readonly string[] = [
  ...IN_FRONT_WITH_PRICES,
  ...COLUMN_IDS.filter((id) => !IN_FRONT_WITH_PRICES.includes(id)),
];
export const HIDEABLE_COLUMN_IDS: readonly string[] = RESULT_COLUMNS.filter(({ isAlwaysShown }) => !isAlwaysShown).map(
  ({ id }) => id,
);

/**
 * An on-demand column in addition to the required ones. Visible if there is an offer rule, in the history, or if the
 * user turns it on.
 */
export const OFFER_COLUMN_ID = "buyOffer";
export const PROCESSED_COLUMN_ID = "processedAt";
export const ON_DEMAND_COLUMN_IDS: readonly string[] = [OFFER_COLUMN_ID, PROCESSED_COLUMN_ID];

export const COLUMNS_BY_ID: ReadonlyMap<string, ResultColumn> = new Map(
  RESULT_COLUMNS.map((column) => [column.id, column]),
);

export function headerOf(id: string): string {
  return COLUMNS_BY_ID.get(id)?.header ?? id;
}
