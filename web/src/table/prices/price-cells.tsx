import type { PriceTrend, Pricing, PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Group } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { memo } from "react";
import { NoValue } from "../../card/chips.tsx";
import { DriftMark, estimateDrift, estimateOf } from "../../card/prices/estimates.tsx";
import { cardName, marketDetails, type MarketState, marketState } from "../../card/prices/market-state.ts";
import { amount, offerDetails, rate, saleDate, shortAmount, trendStyle } from "../../card/prices/price-messages.ts";
import trends from "../../card/prices/trend.module.css";
import { formatCount } from "../../ui/format-numbers.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import type { CellProps } from "../row/row-context.ts";
import styles from "./price-cells.module.css";

/** The metrics of the last 30 days, which open the card's prices, or the price's state. */
export function MarketData(cell: CellProps) {
  const { row, tabIndex, context } = cell;
  const market = marketState(row);
  if (market.kind === "metrics")
    return (
      <button
        type="button"
        className={styles.market}
        tabIndex={tabIndex}
        title={marketDetails(market.pricing, market.isRenewing ? "" : market.message)}
        data-renewing={market.isRenewing || undefined}
        onClick={() => context.onOpen(row, "market")}
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
  // If CardsIQ was already asked while CardLadder is off, asking again wouldn't help.
  const isUnasked = market.kind === "unasked" && row.prices.cardsiq.state === null;
  const canAsk = isUnasked || market.kind === "none" || market.kind === "failed";
  return (
    <span className={styles.state}>
      <PriceState market={market} isShort />
      {canAsk && (context.onGetPrice === null ? <NoValue /> : <GetPrice {...cell} />)}
    </span>
  );
}

/** The price's state. `isShort` gives one or two words, with the reason as a tooltip. */
function PriceState({ market, isShort = false }: { market: MarketState; isShort?: boolean }) {
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
        <span className={styles.message} data-tone={market.kind === "none" ? "neutral" : "bad"} title={market.message}>
          {isShort || market.message === "" ? "No price" : market.message}
          {isShort && market.message !== "" && <VisuallyHidden>: {market.message}</VisuallyHidden>}
        </span>
      );
    default:
      return null;
  }
}

type PriceMetricProps = { label: string; spoken: string; value: number | null; format?: (dollars: number) => string };

function PriceMetric({ label, spoken, value, format = shortAmount }: PriceMetricProps) {
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

/** While loading, it ignores presses but isn't disabled, because a disabled button would lose the focus. */
function GetPrice({ row, tabIndex, context: { onGetPrice, fetching } }: CellProps) {
  if (onGetPrice === null) return null;
  const isFetching = fetching.has(row.id);
  return (
    <button
      type="button"
      className={styles.get}
      tabIndex={tabIndex}
      aria-disabled={isFetching}
      onClick={() => onGetPrice(row)}
    >
      {isFetching ? "Loading..." : "Get Price"}
      <VisuallyHidden> of {cardName(row)}</VisuallyHidden>
    </button>
  );
}

/** A source's estimate and its change since the first price. Opens the prices in the card view. */
export function EstimateCell({ row, source, tabIndex, context }: CellProps & { source: PriceSourceName }) {
  const estimate = estimateOf(row, source);
  if (estimate === null) return <NoEstimate row={row} source={source} />;
  const drift = estimateDrift(row, source);
  const disagreement = source === "cardladder" ? disagreementOf(row) : null;
  const doubt = disagreement && `Sources disagree by ${disagreement.percent}%`;
  return (
    <button type="button" className={styles.estimate} tabIndex={tabIndex} onClick={() => context.onOpen(row, "market")}>
      <span className={styles.line}>
        {doubt !== null && (
          <span className={styles.line} title={doubt}>
            <IconArrowsDiff size={14} color="var(--sd-warn)" aria-hidden="true" />
            <VisuallyHidden>{doubt}. Estimate </VisuallyHidden>
          </span>
        )}
        <span className={styles.value}>{amount(estimate)}</span>
      </span>
      {drift && <DriftMark drift={drift} />}
      <VisuallyHidden>. Prices of {cardName(row)}</VisuallyHidden>
    </button>
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

export function LastSale({ row }: CellProps) {
  const price = row.cardsiq?.lastSalePrice ?? null;
  if (price === null) return isFound(row) && <NoValue />;
  return amount(price);
}

/** The offer for a card: entered by hand or from the session's rule. The tooltip says which. */
export function OfferCell({ row, context: { offerRule } }: CellProps) {
  if (!isFound(row)) return null;
  const offer = offerOf(offerRule, row);
  if (offerRule === null && offer === null) return null;
  return <span title={offerDetails(offerRule, row)}>{offer === null ? <NoValue /> : amount(offer)}</span>;
}

/** A card's estimate, median and latest sales on a phone. Opens them in the card view. */
export function CardPrices(cell: CellProps) {
  const { row, context } = cell;
  const market = marketState(row);
  const { pricing } = row;
  const estimate = estimateOf(row, "cardladder") ?? estimateOf(row, "cardsiq");
  if (pricing === null && estimate === null) {
    if (market.kind === "blank" || (market.kind === "unasked" && context.onGetPrice === null)) return null;
    return (
      <Group gap={10} justify="space-between" wrap="nowrap" mih={28}>
        <PriceState market={market} />
        {market.kind !== "pending" && market.kind !== "waiting" && <GetPrice {...cell} />}
      </Group>
    );
  }
  const trend = pricing && trendStyle(pricing.priceTrend);
  return (
    <button type="button" className={styles.card} onClick={() => context.onOpen(row, "market")}>
      <PriceMetric label="est." spoken="estimate" value={estimate} format={amount} />
      {pricing && <PriceMetric label="med." spoken="30-day median" value={pricing.medianPrice} format={amount} />}
      <VisuallyHidden>
        {trend && `trend ${trend.word}. `}Prices of {cardName(row)}
      </VisuallyHidden>
      {pricing && <Sparkline values={pricing.sparkline} trend={pricing.priceTrend} />}
    </button>
  );
}

const WIDTH = 56;
const HEIGHT = 16;
/** Room for the last dot and the line's width. */
const INSET = 3;

/** The latest sales as a line. Decorative: the text beside it has the same information. */
const Sparkline = memo(function Sparkline({ values, trend }: { values: readonly number[]; trend: PriceTrend | null }) {
  const path = sparklinePath(values, WIDTH, HEIGHT);
  if (path === null) return null;
  return (
    <svg
      className={trends.trend}
      style={{ flex: "none" }}
      color="var(--sd-muted)"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      data-trend={trendStyle(trend)?.word ?? "flat"}
      aria-hidden="true"
      focusable="false"
    >
      <polyline
        fill="none"
        stroke="currentcolor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        points={path.points}
      />
      <circle fill="currentcolor" cx={path.last.x} cy={path.last.y} r={2.25} />
    </svg>
  );
});

/** The points, oldest first, and the last one; null for fewer than two values. Equal values are centered vertically. */
export function sparklinePath(values: readonly number[], width: number, height: number) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = (width - 2 * INSET) / (values.length - 1);
  const places = values.map((value, index) => ({
    x: round(INSET + index * step),
    y: round(span === 0 ? height / 2 : height - INSET - ((value - low) / span) * (height - 2 * INSET)),
  }));
  const last = places.at(-1);
  return last && places.length > 1 ? { points: places.map(({ x, y }) => `${x},${y}`).join(" "), last } : null;
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;
