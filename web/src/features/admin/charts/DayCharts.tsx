import type { AdminCharts, ChartSource } from "@slabdesk/contract/api/stats.ts";
import { formatAxisDay, formatUtcDay } from "@slabdesk/contract/certs/dates.ts";
import { Box, Flex, Group, Paper } from "@mantine/core";
import { type CSSProperties, use, useMemo, useState } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import { HeadRow } from "../../../ui/HeadRow.tsx";
import { ChoiceBar } from "../../../ui/form/ChoiceBar.tsx";
import * as chart from "./chart-series.ts";
import { ChartCard } from "./ChartCard.tsx";
import styles from "./DayTable.module.css";
import { isFaded, Legend, MarkButton, MarkContext, Swatch } from "./MarkButton.tsx";
import { formatCount } from "../../../ui/format-numbers.ts";
import barStyles from "./DayBars.module.css";

const MEASURES = {
  cards: { title: "Scans per day", unit: chart.CARDS, nothing: "No cards were processed in the last 90 days." },
  value: { title: "Market value looked up", unit: chart.MONEY, nothing: "No cards were priced in the last 90 days." },
};

/** Cards, or their market value, by company and by the day they finished. */
export function CompanyChart({ measure, charts }: { measure: keyof typeof MEASURES; charts: AdminCharts }) {
  const { title, unit, nothing } = MEASURES[measure];
  const series = useMemo(() => chart.companySeries(charts, measure), [charts, measure]);
  if (series.total === 0) return <ChartCard title={title} nothing={nothing} />;
  const shared = { label: title, unit, series };
  return (
    <ChartCard
      title={title}
      total={unit.long(series.total)}
      totalOf="in 90 days"
      legend={<Legend label={`${title} by company`} unit={unit} parts={series.parts} />}
      table={<DayTable {...shared} />}
    >
      <DayBars {...shared} />
    </ChartCard>
  );
}

/** Daily calls to one upstream at a time, against its daily limit. */
export function CallsChart({ charts }: { charts: AdminCharts }) {
  const [chosen, setChosen] = useState<ChartSource | null>(null);
  const sources = useMemo(() => chart.calledSources(charts), [charts]);
  const source = sources.find(({ name }) => name === chosen) ?? sources[0];
  const series = useMemo(() => (source ? chart.callSeries(charts, source.name) : null), [charts, source]);
  if (source === undefined || series === null)
    return <ChartCard title="Upstream calls" nothing="No calls in the last 90 days." />;
  const { name, title, quota } = source;
  const limit =
    quota === null ? undefined : { value: quota, message: `${title}'s API allows ${formatCount(quota)} a day` };
  const shared = { label: `Calls to ${title} per day`, unit: chart.CALLS, series };
  return (
    <ChartCard
      title="Upstream calls"
      total={chart.CALLS.long(series.days.at(-1)?.total ?? 0)}
      totalOf="today"
      legend={
        <Flex h={24} style={{ overflowX: "auto", scrollbarWidth: "none" }}>
          <ChoiceBar
            label="Calls to which upstream"
            choices={sources.map((one) => ({ value: one.name, label: one.title }))}
            value={name}
            onChange={setChosen}
          />
        </Flex>
      }
      table={<DayTable {...shared} />}
      nothing={series.total === 0 && `${title} was not called in the last 90 days.`}
    >
      <DayBars {...shared} limit={limit} />
    </ChartCard>
  );
}

/** A day chart as a table, newest day first, without empty days. Each number sets its filter. */
export function DayTable({ label, series, unit }: { label: string; series: chart.DaySeries; unit: chart.Unit }) {
  const { parts } = series;
  const button = (message: string, mark: AdminFilter) => (
    <MarkButton mark={mark} className={styles.mark}>
      {message}
    </MarkButton>
  );
  return (
    <Box pos="absolute" inset={0} style={{ overflow: "auto", outlineOffset: -2 }}>
      <table className={styles.table} aria-label={label}>
        <HeadRow names={["Day", ...parts.map(({ title }) => title)]} />
        <tbody>
          {series.days
            .filter(({ total }) => total > 0)
            .toReversed()
            .map(({ day, sizes }) => (
              <tr key={day}>
                <th scope="row">{button(formatUtcDay(day), { day })}</th>
                {parts.map(({ key, mark }) => (
                  <td key={key}>{sizes[key] === undefined ? "" : button(unit.long(sizes[key]), { ...mark, day })}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </Box>
  );
}

type DayBarsProps = {
  label: string;
  series: chart.DaySeries;
  unit: chart.Unit;
  limit?: { value: number; message: string } | undefined;
};

/**
 * A bar chart by day. Clicking a bar segment selects that part and day; clicking beside it selects the day. On the
 * keyboard, arrows move between days, and Enter or Space selects.
 */
function DayBars({ label, series: { days, parts }, unit, limit }: DayBarsProps) {
  const { onFilter } = use(MarkContext);
  const [focused, setFocused] = useState<number | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const lines = chart.axisLines(Math.max(...days.map(({ total }) => total)), limit?.value);
  const heightOf = (size: number): string => `${(100 * size) / (lines.at(-1) ?? 1)}%`;
  const leftOf = (index: number): string => `${(100 * (index + 0.5)) / days.length}%`;
  const last = days.length - 1;
  const announced = days[focused ?? last];
  const pointed = hovered ?? focused;
  const bar = pointed === null ? undefined : days[pointed];
  return (
    <div className={barStyles.plot}>
      {/* For keyboard and screen-reader users: one day at a time, starting from today. Full chart size for touch
          exploration with a screen reader; the mouse uses the chart itself. */}
      {announced !== undefined && (
        <Box
          component="input"
          type="range"
          pos="absolute"
          inset={0}
          w="100%"
          h="100%"
          m={0}
          opacity={0}
          style={{ pointerEvents: "none" }}
          aria-label={`${label}, by day; Enter shows the day's sessions`}
          aria-valuetext={`${formatUtcDay(announced.day)}: ${unit.long(announced.total)}`}
          min={0}
          max={last}
          value={focused ?? last}
          onChange={(event) => setFocused(event.currentTarget.valueAsNumber)}
          onFocus={() => setFocused(focused ?? last)}
          onBlur={() => setFocused(null)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            // All bars of a chart with one part share its filter.
            onFilter({ ...(parts.length === 1 && parts[0]?.mark), day: announced.day });
          }}
        />
      )}
      <div className={barStyles.chart} aria-hidden="true" onMouseLeave={() => setHovered(null)}>
        {lines.map((size) => (
          <span key={size} className={barStyles.line} style={{ bottom: heightOf(size) }}>
            <span className={barStyles.size}>{unit.short(size)}</span>
          </span>
        ))}
        <Flex pos="absolute" inset={0} style={{ cursor: "pointer" }}>
          {days.map((bar, index) => (
            <DayBar
              key={bar.day}
              bar={bar}
              parts={parts}
              heightOf={heightOf}
              isPointed={index === pointed}
              onPoint={() => setHovered(index)}
            />
          ))}
        </Flex>
        {chart.axisDays(days.map(({ day }) => day)).map((day) => (
          <span key={day} className={barStyles.tick} style={{ left: leftOf(days.findIndex((bar) => bar.day === day)) }}>
            {formatAxisDay(day)}
          </span>
        ))}
        {limit !== undefined && (
          <span className={barStyles.limit} style={{ bottom: heightOf(limit.value) }}>
            {limit.message}
          </span>
        )}
        {bar !== undefined && pointed !== null && (
          <DayTip
            bar={bar}
            parts={parts}
            unit={unit}
            limit={limit}
            style={pointed < days.length / 2 ? { left: leftOf(pointed) } : { right: leftOf(last - pointed) }}
          />
        )}
      </div>
    </div>
  );
}

type DayBarProps = {
  bar: chart.Day;
  parts: readonly chart.Part[];
  heightOf: (size: number) => string;
  isPointed: boolean;
  onPoint: () => void;
};

function DayBar({ bar: { day, sizes }, parts, heightOf, isPointed, onPoint }: DayBarProps) {
  const { filter, onFilter } = use(MarkContext);
  return (
    <div
      role="presentation"
      className={barStyles.day}
      data-pointed={isPointed || undefined}
      onMouseEnter={onPoint}
      onClick={({ target }) => {
        const part = parts.find(
          ({ key }) => target instanceof HTMLElement && target.dataset["mark"] === `${key} ${day}`,
        );
        onFilter({ ...part?.mark, day });
      }}
    >
      {parts.map(
        ({ key, mark, tone }) =>
          (sizes[key] ?? 0) > 0 && (
            <div
              key={key}
              className={barStyles.piece}
              style={{ height: heightOf(sizes[key] ?? 0), color: chart.markColor(tone) }}
              data-mark={`${key} ${day}`}
              data-faded={isFaded(filter, { ...mark, day }) || undefined}
            />
          ),
      )}
    </div>
  );
}

type DayTipProps = Pick<DayBarsProps, "unit" | "limit"> & {
  bar: chart.Day;
  parts: readonly chart.Part[];
  style: CSSProperties;
};

function DayTip({ bar, parts: all, unit, limit, style }: DayTipProps) {
  const parts = all.filter(({ key }) => (bar.sizes[key] ?? 0) > 0);
  return (
    <Paper
      withBorder
      shadow="md"
      pos="absolute"
      top={0}
      mx={10}
      p="0.4375rem 0.625rem"
      c="var(--sd-ink)"
      fz="xs"
      lh={1.5}
      style={{ ...style, zIndex: 3, pointerEvents: "none", whiteSpace: "nowrap" }}
    >
      <Group component="p" justify="space-between" wrap="nowrap" c="dimmed">
        {formatUtcDay(bar.day)}
        <strong style={{ color: "var(--sd-ink)", fontWeight: 600 }}>{unit.long(bar.total)}</strong>
      </Group>
      {parts.length > 1 && (
        <Box component="ul" mt={4}>
          {parts.map(({ key, title, tone }) => (
            <Group key={key} component="li" gap={6} wrap="nowrap">
              <Swatch tone={tone} />
              {title}
              <Box component="span" ml="auto" pl="md">
                {unit.long(bar.sizes[key] ?? 0)}
              </Box>
            </Group>
          ))}
        </Box>
      )}
      {limit !== undefined && (
        <Box component="p" mt={4} c="dimmed">
          {limit.message}
        </Box>
      )}
    </Paper>
  );
}
