import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { WINDOW_DAYS } from "@slabdesk/contract/market/market-metrics.ts";
import { Button, Group, Text } from "@mantine/core";
import type { CardActions } from "../card-actions.ts";
import { Remark, Section } from "../CardParts.tsx";
import { MarketNumbers, MetricsNote, windowOf } from "./PriceMetrics.tsx";
import { SalesSection } from "./SalesSection.tsx";

type MarketSectionProps = { row: ResultRow; actions: Pick<CardActions, "fetching" | "onGetPrice"> };

/** A found card's prices, the sales behind them, and the button that fetches them. */
export function MarketSection({ row, actions }: MarketSectionProps) {
  if (!isFound(row)) return null;
  const hasPrice = row.pricing !== null || row.cardsiq !== null;
  const isRequested = Object.values(row.prices).some(({ state }) => state !== null);
  return (
    <Section label="Market" title={<Title row={row} />} side={<Refresh row={row} hasPrice={hasPrice} {...actions} />}>
      {hasPrice || isRequested ? (
        <MarketNumbers row={row} />
      ) : (
        <Remark>{actions.onGetPrice ? "No price was requested for this card." : "No price source is on."}</Remark>
      )}
      {hasPrice && <SalesSection key={row.id} row={row} />}
      {row.pricing && <MetricsNote />}
    </Section>
  );
}

function Title({ row: { pricing } }: { row: ResultRow }) {
  return (
    <>
      Market{" "}
      {pricing && (
        <Text span c="dimmed" fz="xs" fw={400}>
          Last {WINDOW_DAYS} days, {windowOf(pricing.fetchedAt)}
        </Text>
      )}
    </>
  );
}

type RefreshProps = MarketSectionProps["actions"] & { row: ResultRow; hasPrice: boolean };

/** When the prices were fetched, and Get Price. While loading, the button ignores presses but keeps the focus. */
function Refresh({ row, hasPrice, fetching, onGetPrice }: RefreshProps) {
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
          {isFetching ? "Loading..." : hasPrice ? "Refresh" : "Get Price"}
        </Button>
      )}
    </Group>
  );
}
