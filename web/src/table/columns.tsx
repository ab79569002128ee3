import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  tableFeatures,
} from "@tanstack/react-table";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import type { ReactNode } from "react";
import { Amount, Certification, CustomerPrice, FieldText, GradeChip, ItemName, Moment, Price } from "./cells.tsx";
import { EstimateCell } from "./prices/EstimateCell.tsx";
import { MarketData } from "./prices/MarketData.tsx";
import { OfferCell } from "./prices/OfferCell.tsx";
import type { PriceTools } from "./prices/price-tools.ts";
import type { ReviewTools } from "./review/review-tools.ts";
import type { ErrorBox } from "./row-messages.ts";
import { Thumbs } from "./Thumbs.tsx";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";

/** What all cells of a table need in addition to their row. */
export type TableTools = {
  isRunning: boolean;
  onOpenImages: (row: ResultRow) => void;
  onSwap: (row: ResultRow) => void;
  onEdit: (row: ResultRow) => void;
  prices: PriceTools;
  review: ReviewTools;
  lookups: SessionLookupHistory | null;
  /** When the table was opened. */
  nowMs: number;
  describeError: ((row: ResultRow) => ErrorBox | null) | null;
  /** Toggles a row's selection. `isRange` selects from the previously selected row. */
  onSelect: (id: string, isRange: boolean) => void;
};

/**
 * `TableTools` plus the row's own state. `tabIndex` is 0 in the active row only, so that Tab doesn't visit 20,000 rows.
 */
export type CellContext = TableTools & { tabIndex: number; isSelected: boolean };

type ColumnMeta = { align?: "end"; cell: (row: ResultRow, context: CellContext) => ReactNode };

export const tableModel = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

const column = createColumnHelper<typeof tableModel, ResultRow>();

/**
 * The result columns with their exact required headers (docs/conformance.md, 2.3). Most-read columns come first. Widths
 * in pixels fit the header and typical values: "BASKETBALL CARDS", "1401019289294", "10 GEM MINT", "2018-19". On a
 * 1440-pixel screen, the price is the last visible column, or the market data if there are prices.
 */
export const RESULT_COLUMNS = column.columns([
  column.display({
    id: "images",
    header: "Images",
    size: 88,
    enableHiding: false,
    enableResizing: false,
    meta: {
      cell: (row, { tabIndex, onOpenImages, onSwap }) => (
        <Thumbs row={row} tabIndex={tabIndex} onOpen={onOpenImages} onSwap={onSwap} />
      ),
    },
  }),
  column.display({
    id: "itemName",
    header: "Item Name",
    size: 220,
    enableHiding: false,
    meta: {
      cell: (row, { isRunning, describeError }) => (
        <ItemName row={row} isRunning={isRunning} describeError={describeError} />
      ),
    },
  }),
  column.display({
    id: "certification",
    header: "Certification",
    size: 168,
    meta: {
      cell: (row, { tabIndex, onEdit, lookups, nowMs }) => (
        <Certification row={row} tabIndex={tabIndex} onEdit={onEdit} lookups={lookups?.get(row.id)} nowMs={nowMs} />
      ),
    },
  }),
  column.display({ id: "grade", header: "Grade", size: 118, meta: { cell: (row) => <GradeChip grade={row.grade} /> } }),
  column.display({
    id: "processedAt",
    header: "Processed",
    size: 158,
    meta: { cell: (row) => <Moment at={row.processedAt} /> },
  }),
  column.display({
    id: "year",
    header: "Year",
    size: 72,
    meta: { align: "end", cell: (row) => <FieldText value={row.year} /> },
  }),
  column.display({
    id: "sport",
    header: "Sport/Game",
    size: 144,
    meta: { cell: (row) => <FieldText value={row.sport} /> },
  }),
  column.display({
    id: "cardNumber",
    header: "Card Number",
    size: 96,
    meta: { align: "end", cell: (row) => <FieldText value={row.cardNumber} /> },
  }),
  column.display({
    id: "price",
    header: "Price",
    size: 84,
    meta: { align: "end", cell: (row) => <Price row={row} /> },
  }),
  column.display({
    id: "customerPrice",
    header: "Customer Price",
    size: 120,
    meta: { align: "end", cell: (row) => <CustomerPrice row={row} /> },
  }),
  column.display({
    id: "player",
    header: "Player/Character",
    size: 180,
    meta: { cell: (row) => <FieldText value={row.player} /> },
  }),
  column.display({
    id: "brand",
    header: "Brand/Set",
    size: 240,
    meta: { cell: (row) => <FieldText value={row.brand} /> },
  }),
  column.display({
    id: "language",
    header: "Language",
    size: 96,
    meta: { cell: (row) => <FieldText value={row.language} /> },
  }),
  column.display({
    id: "inventoryName",
    header: "Inventory Name",
    size: 360,
    meta: { cell: (row) => <FieldText value={row.inventoryName} /> },
  }),
  column.display({
    id: "cardladderEstimate",
    header: "CardLadder Estimate",
    size: 112,
    meta: {
      align: "end",
      cell: (row, { tabIndex, prices }) => (
        <EstimateCell row={row} source="cardladder" tabIndex={tabIndex} tools={prices} />
      ),
    },
  }),
  column.display({
    id: "marketData",
    header: "Market Data",
    size: 238,
    meta: {
      align: "end",
      cell: (row, { tabIndex, prices }) => <MarketData row={row} tabIndex={tabIndex} tools={prices} />,
    },
  }),
  column.display({
    id: "cardsiqEstimate",
    header: "CardsIQ Estimate",
    size: 96,
    meta: {
      align: "end",
      cell: (row, { tabIndex, prices }) => (
        <EstimateCell row={row} source="cardsiq" tabIndex={tabIndex} tools={prices} />
      ),
    },
  }),
  column.display({
    id: "cardsiqLastSale",
    header: "CardsIQ Last Sale",
    size: 136,
    meta: { align: "end", cell: (row) => <Amount value={row.cardsiq?.lastSalePrice} isExpected={isFound(row)} /> },
  }),
  column.display({
    id: "buyOffer",
    header: "Buy Offer",
    size: 104,
    meta: { align: "end", cell: (row, { prices }) => <OfferCell row={row} rule={prices.offerRule} /> },
  }),
]);

/** Pinned at the left edge by default, so that a row stays identifiable when the columns scroll. */
export const PINNED_COLUMN_IDS: readonly string[] = ["images", "itemName"];

const idsWhere = (matches: (column: (typeof RESULT_COLUMNS)[number]) => boolean): string[] =>
  RESULT_COLUMNS.filter(matches).flatMap(({ id }) => id ?? []);

export const COLUMN_IDS: readonly string[] = idsWhere(() => true);

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
export const PRICED_COLUMN_WIDTHS: Readonly<Record<string, number>> = { itemName: 180 };
export const HIDEABLE_COLUMN_IDS: readonly string[] = idsWhere(({ enableHiding }) => enableHiding !== false);

/**
 * An on-demand column in addition to the required ones. Visible if there is an offer rule, in the history, or if the
 * user turns it on.
 */
export const OFFER_COLUMN_ID = "buyOffer";
export const PROCESSED_COLUMN_ID = "processedAt";
export const ON_DEMAND_COLUMN_IDS: readonly string[] = [OFFER_COLUMN_ID, PROCESSED_COLUMN_ID];

/** The header of each column, by column id. */
export const COLUMN_HEADERS: ReadonlyMap<string, string> = new Map(
  RESULT_COLUMNS.flatMap(({ id, header }) => (id !== undefined && typeof header === "string" ? [[id, header]] : [])),
);
