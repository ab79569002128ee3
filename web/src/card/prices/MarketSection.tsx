import { PRICE_SOURCE_NAMES, type PriceSourceName, type Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { formatDay, formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { disagreementOf, driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { WINDOW_DAYS } from "@slabdesk/contract/market/market-metrics.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Box, Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { counted, formatCount, money } from "../../ui/format-numbers.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import type { CardActions } from "../use-card-dialog.ts";
import { Fact, Facts, Remark, Section } from "../CardParts.tsx";
import { DriftMark, estimateDrift, estimateOf } from "./estimates.tsx";
import * as priceMessages from "./price-messages.ts";
import { hasPrice } from "./market-state.ts";
import { SalesSection } from "./SalesSection.tsx";
import trends from "./trend.module.css";

type MarketSectionProps = { row: ResultRow; actions: Pick<CardActions, "fetching" | "onGetPrice"> };

/** A found card's prices, the sales behind them, and the button that fetches them. */
export function MarketSection({ row, actions }: MarketSectionProps) {
  if (!isFound(row)) return null;
  const isRequested = Object.values(row.prices).some(({ state }) => state !== null);
  return (
    <Section
      label="Market"
      remark={row.pricing && `Last ${WINDOW_DAYS} days, ${windowOf(row.pricing.fetchedAt)}`}
      side={<Refresh row={row} actions={actions} />}
    >
      {hasPrice(row) || isRequested ? (
        <MarketNumbers row={row} />
      ) : (
        <Remark>{actions.onGetPrice ? "No price was requested for this card." : "No price source is on."}</Remark>
      )}
      {hasPrice(row) && <SalesSection key={row.id} row={row} />}
      {row.pricing && <MetricsNote />}
    </Section>
  );
}

/** When the prices were fetched, and Get Price. While loading, the button ignores presses but keeps the focus. */
function Refresh({ row, actions: { fetching, onGetPrice } }: MarketSectionProps) {
  const at = row.pricing?.fetchedAt ?? row.cardsiq?.fetchedAt;
  // A run or a reprice may have requested the price already.
  const isFetching = fetching.has(row.id) || Object.values(row.prices).some(({ state }) => state === "pending");
  return (
    <Group gap={10} wrap="nowrap">
      {at !== undefined && (
        <Remark>
          Fetched <time dateTime={at}>{formatMoment(at)}</time>
        </Remark>
      )}
      {onGetPrice && (
        <Button size="compact-xs" aria-disabled={isFetching} onClick={isFetching ? undefined : () => onGetPrice(row)}>
          {isFetching ? "Loading..." : at === undefined ? "Get Price" : "Refresh"}
        </Button>
      )}
    </Group>
  );
}

/** Both sources' estimates, then the metrics of the 30 days before the price was fetched, and their source. */
export function MarketNumbers({ row }: { row: ResultRow }) {
  const { pricing } = row;
  const disagreement = disagreementOf(row);
  return (
    <>
      <Facts variant="grid">
        <Estimate row={row} source="cardladder" />
        <Estimate row={row} source="cardsiq" />
        {pricing && <MarketMetrics pricing={pricing} pricingThen={row.pricingThen} />}
      </Facts>
      {disagreement && (
        <Text size="sm" mt={10} p="9px 12px" bdrs="md" bg="var(--sd-warn-soft)">
          <Text component="strong" inherit c="var(--sd-warn)" fw={650}>
            Sources disagree by {disagreement.percent}%.
          </Text>{" "}
          {PRICE_SOURCE_NAMES[disagreement.higher]} is the higher one. They may share their data, so they are never
          averaged.
        </Text>
      )}
    </>
  );
}

function Estimate({ row, source }: { row: ResultRow; source: PriceSourceName }) {
  const estimate = estimateOf(row, source);
  const drift = estimateDrift(row, source);
  const { state, message } = row.prices[source];
  const isRefused = state === "none" || state === "failed";
  const cardsiq = source === "cardsiq" ? row.cardsiq : null;
  const answer = source === "cardladder" ? row.pricing : row.cardsiq;
  return (
    <Fact name={`${PRICE_SOURCE_NAMES[source]} estimate`}>
      <Text span display="block" fz="lg" fw={650} lh={1.3} c={estimate === null ? "dimmed" : "var(--sd-ink)"}>
        {estimate === null ? (answer || state === "none" ? "None" : "–") : money(estimate)}
      </Text>
      {drift && (
        <Remark>
          <DriftMark drift={drift} />
          <span aria-hidden="true"> {drift.message.slice(drift.message.indexOf("was"))}</span>
        </Remark>
      )}
      {typeof answer?.confidence === "number" && <Confidence confidence={answer.confidence} />}
      {cardsiq?.requiresReview === true && (
        <Text c="var(--sd-warn)" fz="xs" fw={550}>
          CardsIQ flags this for review
        </Text>
      )}
      {typeof cardsiq?.lastSalePrice === "number" && <Remark>Last sale {money(cardsiq.lastSalePrice)}</Remark>}
      {!answer && <Remark>{isRefused ? message : STATE_MESSAGES[state ?? "priced"]}</Remark>}
      {answer && message !== "" && <Remark>Not updated: {message}</Remark>}
    </Fact>
  );
}

const STATE_MESSAGES = {
  pending: "Pricing…",
  waiting: "The source is paused. The price arrives automatically",
  priced: "Not requested",
};

const DOT_OFF = { bd: "1px solid var(--sd-control)" };
const DOT_ON = { bd: "1px solid var(--sd-accent)", bg: "var(--sd-accent)" };

function Confidence({ confidence }: { confidence: number }) {
  return (
    <Group component="p" gap="2px 8px" c="dimmed" fz="xs" fw={400}>
      <Group component="span" display="inline-flex" gap={3} wrap="nowrap" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((step) => (
          <Box key={step} component="span" w={7} h={7} bdrs="50%" {...(step <= confidence ? DOT_ON : DOT_OFF)} />
        ))}
      </Group>
      <span>
        <VisuallyHidden>Confidence </VisuallyHidden>
        {priceMessages.formatConfidence(confidence)}
      </span>
    </Group>
  );
}

function MarketMetrics({ pricing, pricingThen }: { pricing: Pricing; pricingThen: ResultRow["pricingThen"] }) {
  const firstPrice = pricingThen?.medianPrice;
  const drift =
    pricingThen &&
    priceMessages.driftStyle(driftOf(pricing.medianPrice, firstPrice), firstPrice, pricingThen.fetchedAt);
  const trend = priceMessages.trendStyle(pricing.priceTrend);
  const velocity = pricing.salesVelocity.thirtyDay;
  const { low, high } = pricing.priceRange;
  return (
    <>
      <Metric name="Median" value={amountOrNone(pricing.medianPrice)}>
        {drift && <DriftMark drift={drift} />}
      </Metric>
      <Metric name="Last sale" value={amountOrNone(pricing.lastSalePrice)}>
        {pricing.newestSaleAt !== null && priceMessages.saleDate(pricing.newestSaleAt)}
      </Metric>
      <Metric name="Average" value={amountOrNone(pricing.averagePrice)} />
      <Metric name="Low to high" value={low === null || high === null ? "–" : `${money(low)} – ${money(high)}`} />
      <Metric name="Sales" value={pricing.salesCount === null ? "–" : formatCount(pricing.salesCount)}>
        {[velocity === null ? null : priceMessages.formatVelocity(velocity), sampleMessage(pricing)]
          .filter(Boolean)
          .join(" · ")}
      </Metric>
      <Metric name="Trend" value={trend && <Trend {...trend} />}>
        {trend === null && "too few sales to tell"}
      </Metric>
    </>
  );
}

function MetricsNote() {
  return (
    <Text component="details" c="dimmed" fz="sm" lh={1.5} mt={8}>
      <summary style={{ width: "fit-content", cursor: "pointer" }}>How these numbers are computed</summary>
      <Text inherit mt={6}>
        From the sales of the {WINDOW_DAYS} days before the price was fetched. From four sales on, prices more than 1.5
        times the middle half’s range away from it are outliers: they count as sales, but in no average, median or
        range. The trend compares the medians of the two halves; less than 5% apart is flat. The last sale is the newest
        one of all.
      </Text>
    </Text>
  );
}

/** The days that the metrics cover: "Oct 24, 2026 – Nov 23, 2026". */
export function windowOf(fetchedAt: string): string {
  const start = Date.parse(fetchedAt) - WINDOW_DAYS * 24 * 60 * 60 * 1000;
  return `${formatDay(start)} – ${formatDay(fetchedAt)}`;
}

function Metric({ name, value, children }: { name: string; value?: ReactNode; children?: ReactNode }) {
  return (
    <Fact name={name}>
      {value}{" "}
      <Remark span display="block" lh={1.35}>
        {children}
      </Remark>
    </Fact>
  );
}

function Trend({ word, arrow }: priceMessages.TrendStyle) {
  return (
    <span className={trends.trend} data-trend={word}>
      <Text span inherit fz="0.6875rem" aria-hidden="true">
        {arrow}
      </Text>{" "}
      {word}
    </span>
  );
}

const amountOrNone = (dollars: number | null): string => (dollars === null ? "–" : money(dollars));

function sampleMessage({ salesCount, sampleSize }: Pricing): string {
  if (sampleSize === null) return "reported by the source";
  const outliers = (salesCount ?? sampleSize) - sampleSize;
  return `n = ${formatCount(sampleSize)}${outliers > 0 ? `, without ${counted(outliers, "outlier")}` : ""}`;
}
