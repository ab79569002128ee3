import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Group } from "@mantine/core";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { estimateOf } from "../../card/prices/estimates.tsx";
import { GetPrice } from "./GetPrice.tsx";
import { cardName, marketState } from "../../card/prices/market-state.ts";
import { PriceMetric, PriceState } from "./MarketData.tsx";
import styles from "./PriceCells.module.css";
import type { PriceContext } from "./price-context.ts";
import { amount, trendStyle } from "../../card/prices/price-messages.ts";
import { Sparkline } from "./Sparkline.tsx";

/** A card's estimate, median and latest sales on a phone. Opens them in the card view. */
export function CardPrices({ row, context }: { row: ResultRow; context: PriceContext }) {
  const market = marketState(row);
  const { pricing } = row;
  const estimate = estimateOf(row, "cardladder") ?? estimateOf(row, "cardsiq");
  if (pricing === null && estimate === null) {
    if (market.kind === "blank" || (market.kind === "unasked" && context.onGetPrice === null)) return null;
    return (
      <Group gap={10} justify="space-between" wrap="nowrap" mih={28}>
        <PriceState market={market} />
        {market.kind !== "pending" && market.kind !== "waiting" && (
          <GetPrice row={row} tabIndex={0} context={context} />
        )}
      </Group>
    );
  }
  const trend = pricing && trendStyle(pricing.priceTrend);
  return (
    <button type="button" className={styles.card} onClick={() => context.onOpenPrices(row)}>
      <PriceMetric label="est." spoken="estimate" value={estimate} format={amount} />
      {pricing && <PriceMetric label="med." spoken="30-day median" value={pricing.medianPrice} format={amount} />}
      <VisuallyHidden>
        {trend && `trend ${trend.word}. `}Prices of {cardName(row)}
      </VisuallyHidden>
      {pricing && <Sparkline values={pricing.sparkline} trend={pricing.priceTrend} />}
    </button>
  );
}
