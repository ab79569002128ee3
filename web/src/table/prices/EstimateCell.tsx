import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { disagreementOf, driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { VisuallyHidden } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { NoValue } from "../row/cells.tsx";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { cardName } from "./market-state.ts";
import styles from "./PriceCells.module.css";
import type { PriceContext } from "./price-context.ts";
import { amount, type DriftStyle, driftStyle } from "./price-messages.ts";

type EstimateCellProps = { row: ResultRow; source: PriceSourceName; tabIndex: number; context: PriceContext };

/** A source's estimate and its change since the first price. Opens the price drawer. */
export function EstimateCell({ row, source, tabIndex, context }: EstimateCellProps) {
  const estimate = estimateOf(row, source);
  if (estimate === null) return <NoEstimate row={row} source={source} />;
  const drift = estimateDrift(row, source);
  return (
    <button type="button" className={styles.estimate} tabIndex={tabIndex} onClick={() => context.onOpenPrices(row)}>
      <span className={styles.line}>
        {source === "cardladder" && <DisagreementMark row={row} />}
        <span className={styles.value}>{amount(estimate)}</span>
      </span>
      {drift && <DriftMark drift={drift} />}
      <VisuallyHidden>. Prices of {cardName(row)}</VisuallyHidden>
    </button>
  );
}

export function estimateOf({ pricing, cardsiq }: ResultRow, source: PriceSourceName): number | null {
  return (source === "cardladder" ? pricing?.cardladderEstimate : cardsiq?.estimatedValue) ?? null;
}

/** The change of a source's estimate since the first price; null if unchanged. */
export function estimateDrift(row: ResultRow, source: PriceSourceName): DriftStyle | null {
  const before = source === "cardladder" ? row.pricingThen : row.cardsiqThen;
  if (before === null) return null;
  const firstPrice = "cardladderEstimate" in before ? before.cardladderEstimate : before.estimatedValue;
  return driftStyle(driftOf(estimateOf(row, source), firstPrice), firstPrice, before.fetchedAt);
}

export function DriftMark({ drift }: { drift: DriftStyle }) {
  return (
    <span className={`${styles.trend} ${styles.drift}`} data-trend={drift.tone} title={drift.message}>
      <span aria-hidden="true">
        <span className={styles.arrow}>{drift.arrow}</span> <span className={styles.percent}>{drift.percent}</span>
      </span>
      <VisuallyHidden>, {drift.message}</VisuallyHidden>
    </span>
  );
}

function DisagreementMark({ row }: { row: ResultRow }) {
  const disagreement = disagreementOf(row);
  if (disagreement === null) return null;
  const message = `Sources disagree by ${disagreement.percent} %`;
  return (
    <span className={styles.line} title={message}>
      <IconArrowsDiff size={14} color="var(--sd-warn)" aria-hidden="true" />
      <VisuallyHidden>{message}. Estimate </VisuallyHidden>
    </span>
  );
}

/** A placeholder while the price is pending; afterwards a dash, with the reason as its tooltip. */
function NoEstimate({ row, source }: { row: ResultRow; source: PriceSourceName }) {
  const { state, message } = row.prices[source];
  if (!isFound(row)) return null;
  if (state === "pending") return <span className={styles.skeleton} style={{ width: 52 }} aria-hidden="true" />;
  if (state === "waiting") return <span className={styles.waiting}>Price waits</span>;
  return (
    <span title={message || undefined}>
      <NoValue />
    </span>
  );
}
