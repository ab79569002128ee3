import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { NoValue } from "../../card/chips.tsx";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { amount, offerDetails } from "../../card/prices/price-messages.ts";

/** The offer for a card: entered by hand or from the session's rule. The tooltip says which. */
export function OfferCell({ row, rule }: { row: ResultRow; rule: OfferRule | null }) {
  if (!isFound(row)) return null;
  const offer = offerOf(rule, row);
  if (rule === null && offer === null) return null;
  return <span title={offerDetails(rule, row)}>{offer === null ? <NoValue /> : amount(offer)}</span>;
}
