import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { IconArrowsDiff } from "@tabler/icons-react";
import { NoValue } from "../../card/chips.tsx";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { cardName } from "../../card/prices/market-state.ts";
import styles from "./PriceCells.module.css";
import type { PriceContext } from "./price-context.ts";
import { DriftMark, estimateDrift, estimateOf } from "../../card/prices/estimates.tsx";
import { amount } from "../../card/prices/price-messages.ts";

type EstimateCellProps = { row: ResultRow; source: PriceSourceName; tabIndex: number; context: PriceContext };

/** A source's estimate and its change since the first price. Opens the prices in the card view. */
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

function DisagreementMark({ row }: { row: ResultRow }) {
  const disagreement = disagreementOf(row);
  if (disagreement === null) return null;
  const message = `Sources disagree by ${disagreement.percent}%`;
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
  if (state === "waiting") return <span className={styles.waiting}>Price pending</span>;
  return (
    <span title={message || undefined}>
      <NoValue />
    </span>
  );
}
