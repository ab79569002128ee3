import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { offerStory } from "./offer-messages.ts";
import styles from "./PriceDrawer.module.css";
import { money } from "../../ui/format-money.ts";

/** The offer for the card by the session's rule, and the price metric it is based on. */
export function OfferLine({ row, rule }: { row: ResultRow; rule: OfferRule }) {
  const offer = offerOf(rule, row);
  return (
    <p className={styles.offer}>
      <span>Buy offer</span>
      <strong>{offer === null ? "None" : money(offer)}</strong>
      <span className={styles.quiet}>{offerStory(rule, row)}</span>
    </p>
  );
}
