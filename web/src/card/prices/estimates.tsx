import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { money } from "../../ui/format-numbers.ts";
import { type DriftStyle, driftStyle, formatPercent } from "./price-messages.ts";
import styles from "./trend.module.css";

export const estimateOf = ({ pricing, cardsiq }: ResultRow, source: PriceSourceName): number | null =>
  (source === "cardladder" ? pricing?.cardladderEstimate : cardsiq?.estimatedValue) ?? null;

/** The change of a source's estimate since the first price; null if unchanged. */
export function estimateDrift(row: ResultRow, source: PriceSourceName): DriftStyle | null {
  const before = source === "cardladder" ? row.pricingThen : row.cardsiqThen;
  if (before === null) return null;
  const firstPrice = "cardladderEstimate" in before ? before.cardladderEstimate : before.estimatedValue;
  return driftStyle(driftOf(estimateOf(row, source), firstPrice), firstPrice, before.fetchedAt);
}

export function DriftMark({ drift }: { drift: DriftStyle }) {
  return (
    <span className={styles.trend} style={{ fontSize: "0.75rem" }} data-trend={drift.tone} title={drift.message}>
      <span aria-hidden="true">
        <span className={styles.arrow}>{drift.arrow}</span> <span className={styles.percent}>{drift.percent}</span>
      </span>
      <VisuallyHidden>, {drift.message}</VisuallyHidden>
    </span>
  );
}

/** CardLadder's estimate minus the cost: "+$1,231.00 +1,026%". `percent` is of the cost; null if that is 0. */
export function Margin({ sum, percent }: { sum: number; percent: number | null }) {
  return (
    <span className={styles.trend} data-trend={sum > 0 ? "up" : sum < 0 ? "down" : undefined}>
      {signOf(sum)}
      {money(Math.abs(sum))}
      {percent !== null && <span className={styles.share}>{` ${signOf(percent)}${formatPercent(percent)}%`}</span>}
    </span>
  );
}

const signOf = (amount: number): string => ["−", "", "+"][Math.sign(amount) + 1] ?? "";
