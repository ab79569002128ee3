import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** What a table's price cells need in addition to their row; stable until a part of it changes. */
export type PriceContext = {
  /** Rows whose price Get Price is fetching. */
  fetching: ReadonlySet<string>;
  /** Null if no price source is on. */
  onGetPrice: ((row: ResultRow) => void) | null;
  onOpenPrices: (row: ResultRow) => void;
  offerRule: OfferRule | null;
};
