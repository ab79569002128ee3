import type { Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { NoValue } from "../../card/chips.tsx";
import { GetPrice } from "./GetPrice.tsx";
import { cardName, marketDetails, type MarketState, marketState } from "../../card/prices/market-state.ts";
import trends from "../../card/prices/trend.module.css";
import styles from "./PriceCells.module.css";
import type { PriceContext } from "./price-context.ts";
import { rate, saleDate, shortAmount, trendStyle } from "../../card/prices/price-messages.ts";
import { Sparkline } from "./Sparkline.tsx";
import { formatCount } from "../../ui/format-numbers.ts";

type MarketDataProps = { row: ResultRow; tabIndex: number; context: PriceContext };

/**
 * The Market Data cell: the metrics of the last 30 days, which open in the card view, or the price's state. The first
 * line has average, median and last sale; the second sparkline, trend, number of sales and sales per day.
 */
export function MarketData({ row, tabIndex, context }: MarketDataProps) {
  const market = marketState(row);
  if (market.kind === "metrics")
    return (
      <button
        type="button"
        className={styles.market}
        tabIndex={tabIndex}
        title={marketDetails(market.pricing, market.isRenewing ? "" : market.message)}
        data-renewing={market.isRenewing || undefined}
        onClick={() => context.onOpenPrices(row)}
      >
        <span className={styles.line}>
          <PriceMetric label="avg" spoken="30-day average" value={market.pricing.averagePrice} />
          <PriceMetric label="med" spoken="median" value={market.pricing.medianPrice} />
          <PriceMetric label="last" spoken="last sale" value={market.pricing.lastSalePrice} />
        </span>
        <Movement pricing={market.pricing} isRenewing={market.isRenewing} />
        <VisuallyHidden>. Prices of {cardName(row)}</VisuallyHidden>
      </button>
    );
  return (
    <span className={styles.state}>
      <PriceState market={market} isShort />
      {canAsk(row, market) && <GetPrice row={row} tabIndex={tabIndex} context={context} />}
      {canAsk(row, market) && context.onGetPrice === null && <NoValue />}
    </span>
  );
}

/** If CardsIQ was already asked while CardLadder is off, asking again wouldn't help. */
function canAsk(row: ResultRow, { kind }: MarketState): boolean {
  if (kind === "unasked") return row.prices.cardsiq.state === null;
  return kind === "none" || kind === "failed";
}

/** The price's state. `isShort` gives one or two words, with the reason as a tooltip. */
export function PriceState({ market, isShort = false }: { market: MarketState; isShort?: boolean }) {
  switch (market.kind) {
    case "pending":
      return (
        <span className={styles.pending}>
          <span className={styles.skeleton} aria-hidden="true" />
          Pricing…
        </span>
      );
    case "waiting":
      return (
        <span className={styles.waiting} title="The price source is paused. The price arrives automatically">
          Price pending
        </span>
      );
    case "none":
    case "failed":
      return (
        <span className={styles.message} data-failed={market.kind === "failed" || undefined} title={market.message}>
          {isShort || market.message === "" ? "No price" : market.message}
          {isShort && market.message !== "" && <VisuallyHidden>: {market.message}</VisuallyHidden>}
        </span>
      );
    default:
      return null;
  }
}

type PriceMetricProps = {
  label: string;
  spoken: string;
  value: number | null;
  format?: (dollars: number) => string;
};

export function PriceMetric({ label, spoken, value, format = shortAmount }: PriceMetricProps) {
  return (
    <span className={styles.metric}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <VisuallyHidden>{spoken} </VisuallyHidden>
      {value === null ? <NoValue /> : <span className={styles.value}>{format(value)}</span>}{" "}
    </span>
  );
}

function Movement({ pricing, isRenewing }: { pricing: Pricing; isRenewing: boolean }) {
  const trend = trendStyle(pricing.priceTrend);
  const { salesCount, sampleSize, newestSaleAt } = pricing;
  const velocity = pricing.salesVelocity.thirtyDay;
  const hasSales = salesCount !== null && salesCount > 0;
  return (
    <span className={styles.under}>
      <Sparkline values={pricing.sparkline} trend={pricing.priceTrend} />
      {trend && (
        <span className={`${trends.trend} ${trends.arrow}`} data-trend={trend.word}>
          <span aria-hidden="true">{trend.arrow}</span>
          <VisuallyHidden>trend {trend.word}</VisuallyHidden>
        </span>
      )}
      <span>
        {hasSales ? `${formatCount(salesCount)} sold` : "no sales in 30 days"}
        {hasSales && velocity !== null && ` · ${rate(velocity)}/day`}
        {isRenewing && " · Pricing…"}
      </span>
      <VisuallyHidden>
        {sampleSize !== null && sampleSize > 0 && `, computed from ${formatCount(sampleSize)}`}
        {newestSaleAt !== null && `, newest ${saleDate(newestSaleAt)}`}
      </VisuallyHidden>
    </span>
  );
}
