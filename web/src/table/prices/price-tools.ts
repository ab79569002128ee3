import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** What the price cells of a table need besides their row; one object until something in it changes. */
export type PriceTools = {
  /** Rows whose price is being fetched by Get Price. */
  fetching: ReadonlySet<string>;
  /** Null while no price source is on. */
  onGetPrice: ((row: ResultRow) => void) | null;
  onOpenPrices: (row: ResultRow) => void;
  offerRule: OfferRule | null;
};
