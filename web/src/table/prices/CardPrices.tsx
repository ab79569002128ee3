import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { VisuallyHidden } from "@mantine/core";
import { estimateOf } from "./EstimateCell.tsx";
import styles from "./CardPrices.module.css";
import { GetPrice } from "./GetPrice.tsx";
import { cardName, marketView } from "./market-view.ts";
import { PriceState } from "./MarketData.tsx";
import type { PriceTools } from "./price-tools.ts";
import { amount, trendStyle } from "./price-messages.ts";
import { Sparkline } from "./Sparkline.tsx";

/** A card's estimate, median and latest sales on a phone. Opens the price drawer. */
export function CardPrices({ row, tools }: { row: ResultRow; tools: PriceTools }) {
  const view = marketView(row);
  const { pricing } = row;
  const estimate = estimateOf(row, "cardladder") ?? estimateOf(row, "cardsiq");
  if (pricing === null && estimate === null) {
    if (view.kind === "blank" || (view.kind === "unasked" && tools.onGetPrice === null)) return null;
    return (
      <div className={styles.state}>
        <PriceState view={view} />
        {view.kind !== "pending" && view.kind !== "waiting" && (
          <GetPrice row={row} tabIndex={0} tools={tools} otherwise={null} />
        )}
      </div>
    );
  }
  const trend = pricing && trendStyle(pricing.priceTrend);
  return (
    <button type="button" className={styles.prices} onClick={() => tools.onOpenPrices(row)}>
      <PriceMetric label="est." spoken="estimate" value={estimate} />
      {pricing && <PriceMetric label="med." spoken="30-day median" value={pricing.medianPrice} />}
      <VisuallyHidden>
        {trend && `trend ${trend.word}. `}Prices of {cardName(row)}
      </VisuallyHidden>
      {pricing && (
        <span className={styles.line}>
          <Sparkline values={pricing.sparkline} trend={pricing.priceTrend} />
        </span>
      )}
    </button>
  );
}

function PriceMetric({ label, spoken, value }: { label: string; spoken: string; value: number | null }) {
  return (
    <span className={styles.metric}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <VisuallyHidden>{spoken}</VisuallyHidden> {value === null ? "–" : amount(value)}{" "}
    </span>
  );
}
