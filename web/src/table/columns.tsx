import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import {
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";
import { Amount, Certification, FieldText, GradeChip, ItemName, Price } from "./cells.tsx";
import { MarketData } from "./MarketData.tsx";
import { Thumbs } from "./Thumbs.tsx";

/** What a cell needs besides its row. `tabIndex` is 0 in the active row only, so that Tab does not walk 20,000 rows. */
export type CellContext = {
  isRunning: boolean;
  tabIndex: number;
  onOpenImages: (row: ResultRow) => void;
  onSwap: (row: ResultRow) => void;
};

type ColumnMeta = { align?: "end"; cell: (row: ResultRow, context: CellContext) => ReactNode };

export const tableModel = tableFeatures({
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

const column = createColumnHelper<typeof tableModel, ResultRow>();

/** SPEC section 2's columns with its headers to the letter; the ones staff read first stand first. Sizes in pixels. */
export const RESULT_COLUMNS = column.columns([
  column.display({
    id: "images",
    header: "Images",
    size: 92,
    enableHiding: false,
    meta: {
      cell: (row, { tabIndex, onOpenImages, onSwap }) => (
        <Thumbs row={row} tabIndex={tabIndex} onOpen={onOpenImages} onSwap={onSwap} />
      ),
    },
  }),
  column.display({
    id: "itemName",
    header: "Item Name",
    size: 266,
    enableHiding: false,
    meta: { cell: (row, { isRunning }) => <ItemName row={row} isRunning={isRunning} /> },
  }),
  column.display({
    id: "certification",
    header: "Certification",
    size: 168,
    meta: { cell: (row, { tabIndex }) => <Certification row={row} tabIndex={tabIndex} /> },
  }),
  column.display({ id: "grade", header: "Grade", size: 124, meta: { cell: (row) => <GradeChip grade={row.grade} /> } }),
  column.display({
    id: "year",
    header: "Year",
    size: 56,
    meta: { align: "end", cell: (row) => <FieldText value={row.year} /> },
  }),
  column.display({
    id: "sport",
    header: "Sport/Game",
    size: 136,
    meta: { cell: (row) => <FieldText value={row.sport} /> },
  }),
  column.display({
    id: "cardNumber",
    header: "Card Number",
    size: 104,
    meta: { align: "end", cell: (row) => <FieldText value={row.cardNumber} /> },
  }),
  column.display({
    id: "price",
    header: "Price",
    size: 80,
    meta: { align: "end", cell: (row) => <Price row={row} /> },
  }),
  column.display({
    id: "customerPrice",
    header: "Customer Price",
    size: 128,
    meta: { align: "end", cell: (row) => row.customerPrice },
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
    size: 200,
    meta: { cell: (row) => <FieldText value={row.brand} /> },
  }),
  column.display({
    id: "language",
    header: "Language",
    size: 100,
    meta: { cell: (row) => <FieldText value={row.language} /> },
  }),
  column.display({
    id: "inventoryName",
    header: "Inventory Name",
    size: 300,
    meta: { cell: (row) => <FieldText value={row.inventoryName} /> },
  }),
  column.display({
    id: "cardladderEstimate",
    header: "CardLadder Estimate",
    size: 160,
    meta: { align: "end", cell: (row) => <Amount value={row.pricing?.cardladderEstimate} /> },
  }),
  column.display({
    id: "marketData",
    header: "Market Data",
    size: 210,
    meta: { align: "end", cell: (row) => <MarketData pricing={row.pricing} /> },
  }),
  column.display({
    id: "cardsiqEstimate",
    header: "CardsIQ Estimate",
    size: 140,
    meta: { align: "end", cell: (row) => <Amount value={row.cardsiq?.estimatedValue} /> },
  }),
  column.display({
    id: "cardsiqLastSale",
    header: "CardsIQ Last Sale",
    size: 148,
    meta: { align: "end", cell: (row) => <Amount value={row.cardsiq?.lastSalePrice} /> },
  }),
]);

/** Pinned at the left edge: a row is never out of sight of what it is. */
export const PINNED_COLUMNS = { start: ["images", "itemName"], end: [] };
