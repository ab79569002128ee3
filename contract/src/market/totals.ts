import type { OfferRule } from "../api/prices.ts";
import type { ResultRow } from "../api/results.ts";
import { metricOf, offerOf } from "./buy-offer.ts";
import { centsOf, dollarsOf, percentOf } from "./money.ts";

export type TotaledRow = Pick<ResultRow, "outcome" | "price" | "pricing" | "cardsiq" | "ownOffer">;

export type Total = { sum: number; n: number };

export type Totals = ReturnType<typeof totalsOf>;

/**
 * The totals of a session. Each covers the rows that have the amount; `count` counts all rows, `found` those with a
 * card. `margin` is CardLadder's estimate minus the cost, over the `n` rows with both; `percent` is null without a cost.
 */
export function totalsOf(rows: Iterable<TotaledRow>, rule: OfferRule | null) {
  const [cost, estimate, median, cardsiq, offer] = [new Sum(), new Sum(), new Sum(), new Sum(), new Sum()];
  const [valued, invested] = [new Sum(), new Sum()];
  let [count, found] = [0, 0];
  for (const row of rows) {
    count += 1;
    if (row.outcome === "found") found += 1;
    const estimated = metricOf("cardladderEstimate", row);
    cost.add(row.price);
    estimate.add(estimated);
    median.add(metricOf("medianPrice", row));
    cardsiq.add(metricOf("cardsiqEstimate", row));
    offer.add(offerOf(rule, row));
    if (row.price === null || estimated === null) continue;
    valued.add(estimated);
    invested.add(row.price);
  }
  const gained = valued.cents - invested.cents;
  return {
    count,
    found,
    cost: cost.total(),
    estimate: estimate.total(),
    median: median.total(),
    cardsiq: cardsiq.total(),
    offer: offer.total(),
    margin: {
      sum: dollarsOf(gained),
      cost: dollarsOf(invested.cents),
      n: valued.n,
      percent: invested.cents > 0 ? percentOf(gained, invested.cents) : null,
    },
  };
}

class Sum {
  cents = 0;
  n = 0;

  add(dollars: number | null): void {
    if (dollars === null) return;
    this.cents += centsOf(dollars);
    this.n += 1;
  }

  total(): Total {
    return { sum: dollarsOf(this.cents), n: this.n };
  }
}
