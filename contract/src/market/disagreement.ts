import type { PriceSourceName } from "../api/prices.ts";
import type { ResultRow } from "../api/results.ts";
import { metricOf } from "./buy-offer.ts";
import { centsOf, dollarsOf, percentOf } from "./money.ts";

/** How many whole percent the higher estimate is above the lower, and which source it is from. */
export type Disagreement = { percent: number; higher: PriceSourceName };

/** Compares both sources' estimates. Null unless the higher is at least 20 % above the lower. */
export function disagreementOf(row: Pick<ResultRow, "pricing" | "cardsiq">): Disagreement | null {
  const cardladder = metricOf("cardladderEstimate", row);
  const cardsiq = metricOf("cardsiqEstimate", row);
  if (cardladder === null || cardsiq === null) return null;
  const [one, other] = [centsOf(cardladder), centsOf(cardsiq)];
  const lower = Math.min(one, other);
  const apart = Math.abs(one - other);
  if (lower === 0 || 5 * apart < lower) return null;
  return { percent: Math.floor((200 * apart + lower) / (2 * lower)), higher: one > other ? "cardladder" : "cardsiq" };
}

/** The change of an amount, in dollars and in percent of the earlier amount (one decimal). */
export type Drift = { dollars: number; percent: number };

/** The change of a price metric from `then` to `now`. Null if either is missing. */
export function driftOf(now: number | null | undefined, then: number | null | undefined): Drift | null {
  const [after, before] = [centsOf(now ?? 0), centsOf(then ?? 0)];
  if (after <= 0 || before <= 0) return null;
  const moved = after - before;
  return { dollars: dollarsOf(moved), percent: percentOf(moved, before) };
}
