import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { figureOf, offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { NoValue } from "../cells.tsx";
import { isFound } from "../row-words.ts";
import { amount, FIGURE_LABELS, money } from "./price-words.ts";

/** What is offered for a card by the session's rule; how it came to be is in the tooltip. */
export function OfferCell({ row, rule }: { row: ResultRow; rule: OfferRule | null }) {
  if (rule === null || !isFound(row)) return null;
  const offer = offerOf(rule, row);
  return <span title={offerStory(rule, row, offer)}>{offer === null ? <NoValue /> : amount(offer)}</span>;
}

/** "70 % of the …" would need the tier; what staff check is the figure that the offer is of. */
function offerStory(rule: OfferRule, row: ResultRow, offer: number | null): string {
  const figure = figureOf(rule.figure, row);
  const label = FIGURE_LABELS[rule.figure];
  if (figure === null) return `No ${label.toLowerCase()} to offer on`;
  return offer === null ? `${label} ${money(figure)} is below all tiers` : `${label} ${money(figure)}`;
}
