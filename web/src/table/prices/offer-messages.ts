import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { metricOf, offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { METRIC_LABELS, formatPercent } from "./price-messages.ts";
import { money } from "../../ui/format-money.ts";

/** How an offer was calculated, after rounding, or why there is none: "69 % of 30-day median $398.00". */
export function offerStory(rule: OfferRule, row: Pick<ResultRow, "pricing" | "cardsiq">): string {
  const metric = metricOf(rule.metric, row);
  const label = rule.metric === "lowest" ? "lowest figure" : METRIC_LABELS[rule.metric];
  if (metric === null) return `No ${rule.metric === "lowest" ? "figure" : label} to offer on`;
  const basis = `${label} ${money(metric)}`;
  const offer = offerOf(rule, row);
  return offer === null ? `${basis} is below all tiers` : `${formatPercent((100 * offer) / metric)} % of ${basis}`;
}
