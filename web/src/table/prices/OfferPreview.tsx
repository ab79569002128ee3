import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { metricOf, offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { totalsOf } from "@slabdesk/contract/market/totals.ts";
import { useDeferredValue, useMemo } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { cardName } from "./market-view.ts";
import { offerStory } from "./offer-messages.ts";
import styles from "./OfferDialog.module.css";
import { count } from "./price-messages.ts";
import { money } from "../../ui/format-money.ts";

/** The offers of the rule being typed: for one card, and in total. A null rule is invalid. */
export function OfferPreview({ rows, rule }: { rows: RowsSnapshot; rule: OfferRule | null }) {
  const deferred = useDeferredValue(rule);
  const totals = useMemo(() => totalsOf(rows, deferred), [rows, deferred]);
  if (deferred === null)
    return (
      <output className={styles.preview}>
        <span className={styles.quiet}>Fill in the tiers to see what they come to.</span>
      </output>
    );
  const example = rows.find((row) => metricOf(deferred.metric, row) !== null);
  const offer = example && offerOf(deferred, example);
  return (
    <output className={styles.preview}>
      {example ? (
        <>
          <span className={styles.example}>{cardName(example)}</span>
          <span>
            <strong>{typeof offer === "number" ? money(offer) : "No offer"}</strong>{" "}
            <span className={styles.quiet}>{offerStory(deferred, example)}</span>
          </span>
        </>
      ) : (
        <span className={styles.quiet}>No card has this figure yet.</span>
      )}
      <span className={styles.total}>
        All offers <strong>{money(totals.offer.sum)}</strong>{" "}
        <span className={styles.quiet}>
          for {count(totals.offer.n)} of {count(totals.count)} cards
        </span>
      </span>
    </output>
  );
}
