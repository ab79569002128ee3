import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { VisuallyHidden } from "@mantine/core";
import { Amount, NoValue } from "./cells.tsx";
import styles from "./MarketData.module.css";

/** Arrow and word of SPEC's trend: up, down, and flat for everything else. */
function trendOf(priceTrend: string | null): { arrow: string; word: string } {
  if (priceTrend === "increasing") return { arrow: "▲", word: "up" };
  if (priceTrend === "decreasing") return { arrow: "▼", word: "down" };
  return { arrow: "▬", word: "flat" };
}

/** 30-day average, median, last sale; trend, sales and sales a day. A dash while there are no figures. */
export function MarketData({ pricing }: { pricing: ResultRow["pricing"] }) {
  if (pricing === null) return <NoValue />;
  const { arrow, word } = trendOf(pricing.priceTrend);
  const velocity = pricing.salesVelocity.thirtyDay;
  return (
    <span className={styles.market}>
      <span title="30-day average, median, last sale">
        <Amount value={pricing.averagePrice} /> · <Amount value={pricing.medianPrice} /> ·{" "}
        <Amount value={pricing.lastSalePrice} />
      </span>
      <span className={styles.under}>
        <span aria-hidden="true" title={`Trend ${word}`} data-trend={word}>
          {arrow}
        </span>
        <VisuallyHidden>trend {word}</VisuallyHidden>
        {pricing.salesCount === null ? "" : ` ${pricing.salesCount} sales`}
        {velocity === null ? "" : ` · ${velocity.toFixed(1)}/day`}
      </span>
    </span>
  );
}
