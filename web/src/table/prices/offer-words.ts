import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { figureOf, offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { FIGURE_LABELS, money, percentWords } from "./price-words.ts";

/** What an offer is of, after rounding, or why there is none: "69 % of 30-day median $398.00". */
export function offerStory(rule: OfferRule, row: Pick<ResultRow, "pricing" | "cardsiq">): string {
  const figure = figureOf(rule.figure, row);
  const label = rule.figure === "lowest" ? "lowest figure" : FIGURE_LABELS[rule.figure];
  if (figure === null) return `No ${rule.figure === "lowest" ? "figure" : label} to offer on`;
  const story = `${label} ${money(figure)}`;
  const offer = offerOf(rule, row);
  return offer === null ? `${story} is below all tiers` : `${percentWords((100 * offer) / figure)} % of ${story}`;
}
