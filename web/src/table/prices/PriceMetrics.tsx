import { PRICE_SOURCE_NAMES, type PriceSourceName, type Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { disagreementOf, driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { WINDOW_DAYS } from "@slabdesk/contract/market/market-metrics.ts";
import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { DriftMark, estimateDrift, estimateOf } from "./EstimateCell.tsx";
import styles from "./PriceDrawer.module.css";
import {
  formatConfidence,
  count,
  dayOf,
  driftStyle,
  moment,
  formatOutliers,
  saleDate,
  trendStyle,
  formatVelocity,
} from "./price-messages.ts";
import { money } from "../../ui/format-money.ts";

/** Both sources' estimates side by side, and a warning if they disagree. */
export function Estimates({ row }: { row: ResultRow }) {
  const disagreement = disagreementOf(row);
  return (
    <section aria-label="Estimates">
      <div className={styles.estimates}>
        <Estimate row={row} source="cardladder" confidence={row.pricing?.confidence ?? null} />
        <Estimate row={row} source="cardsiq" confidence={row.cardsiq?.confidence ?? null} />
      </div>
      {disagreement && (
        <p className={styles.disagreement}>
          <strong>Sources disagree by {disagreement.percent} %.</strong> {PRICE_SOURCE_NAMES[disagreement.higher]} is
          the higher one. They may share their data, so they are never averaged.
        </p>
      )}
    </section>
  );
}

type EstimateProps = { row: ResultRow; source: PriceSourceName; confidence: number | null };

function Estimate({ row, source, confidence }: EstimateProps) {
  const estimate = estimateOf(row, source);
  const drift = estimateDrift(row, source);
  const { state, message } = row.prices[source];
  const hasAnswer = source === "cardladder" ? row.pricing !== null : row.cardsiq !== null;
  return (
    <div className={styles.estimate}>
      <h3 className={styles.source}>{PRICE_SOURCE_NAMES[source]} estimate</h3>
      <p className={styles.amount} data-none={estimate === null || undefined}>
        {estimate === null ? (hasAnswer || state === "none" ? "None" : "–") : money(estimate)}
      </p>
      {drift && (
        <p className={styles.then}>
          <DriftMark drift={drift} />
          <span aria-hidden="true"> {drift.message.slice(drift.message.indexOf("was"))}</span>
        </p>
      )}
      {confidence !== null && <Confidence confidence={confidence} />}
      {source === "cardsiq" && row.cardsiq?.requiresReview === true && (
        <p className={styles.review}>CardsIQ itself asks for a review</p>
      )}
      {source === "cardsiq" && typeof row.cardsiq?.lastSalePrice === "number" && (
        <p className={styles.quiet}>Last sale {money(row.cardsiq.lastSalePrice)}</p>
      )}
      {!hasAnswer && <p className={styles.quiet}>{stateMessage(state, message)}</p>}
      {hasAnswer && message !== "" && <p className={styles.quiet}>Not fetched anew: {message}</p>}
    </div>
  );
}

function stateMessage(state: ResultRow["prices"][PriceSourceName]["state"], message: string): string {
  switch (state) {
    case "pending":
      return "Pricing…";
    case "waiting":
      return "Waits: the source is paused. It arrives by itself.";
    case "none":
    case "failed":
      return message;
    case "priced":
    case null:
      return "Not asked";
  }
}

function Confidence({ confidence }: { confidence: number }) {
  return (
    <p className={styles.confidence}>
      <span className={styles.dots} aria-hidden="true">
        {[1, 2, 3, 4, 5].map((step) => (
          <span key={step} data-on={step <= confidence || undefined} />
        ))}
      </span>
      <span>
        <VisuallyHidden>Confidence </VisuallyHidden>
        {formatConfidence(confidence)}
      </span>
    </p>
  );
}

/** The metrics of the 30 days before the price was fetched, and their source. */
export function MarketMetrics({ row, pricing }: { row: ResultRow; pricing: Pricing }) {
  const trend = trendStyle(pricing.priceTrend);
  const velocity = pricing.salesVelocity.thirtyDay;
  const { low, high } = pricing.priceRange;
  return (
    <section aria-label="Market data">
      <h3 className={styles.heading}>
        Last {WINDOW_DAYS} days <span className={styles.quiet}>{windowMessage(pricing.fetchedAt)}</span>
      </h3>
      <dl className={styles.metrics}>
        <PriceMetric label="Average" value={amountOrNone(pricing.averagePrice)} />
        <PriceMetric label="Median" value={amountOrNone(pricing.medianPrice)}>
          <MedianDrift row={row} />
        </PriceMetric>
        <PriceMetric
          label="Low to high"
          value={low === null || high === null ? "–" : `${money(low)} – ${money(high)}`}
        />
        <PriceMetric label="Last sale" value={amountOrNone(pricing.lastSalePrice)}>
          {pricing.newestSaleAt !== null && saleDate(pricing.newestSaleAt)}
        </PriceMetric>
        <PriceMetric label="Sales" value={pricing.salesCount === null ? "–" : count(pricing.salesCount)}>
          {[velocity === null ? null : formatVelocity(velocity), sampleMessage(pricing)].filter(Boolean).join(" · ")}
        </PriceMetric>
        <PriceMetric
          label="Trend"
          value={
            trend && (
              <span className={styles.trend} data-trend={trend.word}>
                <span aria-hidden="true">{trend.arrow}</span> {trend.word}
              </span>
            )
          }
        >
          {trend === null && "too few sales to tell"}
        </PriceMetric>
      </dl>
      <details className={styles.how}>
        <summary>How these figures are computed</summary>
        <p>
          From the sales of the {WINDOW_DAYS} days before the price was fetched. From four sales on, prices more than
          1.5 times the middle half’s range away from it are outliers: they count as sales, but in no average, median or
          range. The trend compares the medians of the two halves; less than 5 % apart is flat. The last sale is the
          newest one of all.
        </p>
      </details>
    </section>
  );
}

function PriceMetric({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value} <span className={styles.note}>{children}</span>
      </dd>
    </div>
  );
}

function MedianDrift({ row }: { row: ResultRow }) {
  const firstPrice = row.pricingThen?.medianPrice;
  const drift =
    row.pricingThen && driftStyle(driftOf(row.pricing?.medianPrice, firstPrice), firstPrice, row.pricingThen.fetchedAt);
  return drift ? <DriftMark drift={drift} /> : null;
}

const amountOrNone = (dollars: number | null): string => (dollars === null ? "–" : money(dollars));

function sampleMessage({ salesCount, sampleSize }: Pricing): string {
  if (sampleSize === null) return "as the source counts them";
  const outliers = (salesCount ?? sampleSize) - sampleSize;
  return outliers > 0 ? `n = ${count(sampleSize)}, without ${formatOutliers(outliers)}` : `n = ${count(sampleSize)}`;
}

function windowMessage(fetchedAt: string): string {
  const end = new Date(fetchedAt);
  const start = new Date(end.getTime() - WINDOW_DAYS * 24 * 60 * 60 * 1000);
  return `${dayOf(start.toISOString())} – ${dayOf(fetchedAt)}`;
}

/** When each source was queried. */
export function FetchedAt({ row }: { row: ResultRow }) {
  const at = row.pricing?.fetchedAt ?? row.cardsiq?.fetchedAt;
  if (at === undefined) return null;
  return (
    <p className={styles.fetched}>
      Fetched <time dateTime={at}>{moment(at)}</time>
      {row.pricingThen && <VisuallyHidden>, first {moment(row.pricingThen.fetchedAt)}</VisuallyHidden>}
    </p>
  );
}
