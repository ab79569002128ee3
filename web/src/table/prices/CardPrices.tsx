import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Group, VisuallyHidden } from "@mantine/core";
import { estimateOf } from "./EstimateCell.tsx";
import { GetPrice } from "./GetPrice.tsx";
import { cardName, marketView } from "./market-view.ts";
import { PriceMetric, PriceState } from "./MarketData.tsx";
import styles from "./PriceCells.module.css";
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
      <Group gap={10} justify="space-between" wrap="nowrap" mih={28}>
        <PriceState view={view} />
        {view.kind !== "pending" && view.kind !== "waiting" && <GetPrice row={row} tabIndex={0} tools={tools} />}
      </Group>
    );
  }
  const trend = pricing && trendStyle(pricing.priceTrend);
  return (
    <button type="button" className={styles.card} onClick={() => tools.onOpenPrices(row)}>
      <PriceMetric label="est." spoken="estimate" value={estimate} format={amount} />
      {pricing && <PriceMetric label="med." spoken="30-day median" value={pricing.medianPrice} format={amount} />}
      <VisuallyHidden>
        {trend && `trend ${trend.word}. `}Prices of {cardName(row)}
      </VisuallyHidden>
      {pricing && <Sparkline values={pricing.sparkline} trend={pricing.priceTrend} />}
    </button>
  );
}
