import type { AdminCharts, ChartSource } from "@slabdesk/contract/api/stats.ts";
import { formatUtcDay } from "@slabdesk/contract/certs/dates.ts";
import { Box, Flex } from "@mantine/core";
import { useMemo, useState } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import { ChoiceBar } from "../../../ui/form/ChoiceBar.tsx";
import { callSeries, calledSources, companySeries, type DaySeries } from "./chart-series.ts";
import { ChartCard } from "./ChartCard.tsx";
import { CALLS, CARDS, MONEY, type Unit } from "./chart-formats.ts";
import { DayBars } from "./DayBars.tsx";
import styles from "./DayTable.module.css";
import { Legend, MarkButton } from "./MarkButton.tsx";
import { formatCount } from "../../../ui/format-numbers.ts";

const MEASURES = {
  cards: { title: "Scans per day", unit: CARDS, nothing: "No cards were processed in the last 90 days." },
  value: { title: "Market value looked up", unit: MONEY, nothing: "No cards were priced in the last 90 days." },
};
type CompanyChartProps = { measure: keyof typeof MEASURES; charts: AdminCharts };

/** Cards, or their market value, by company and by the day they finished. */
export function CompanyChart({ measure, charts }: CompanyChartProps) {
  const { title, unit, nothing } = MEASURES[measure];
  const series = useMemo(() => companySeries(charts, measure), [charts, measure]);
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
  const sources = useMemo(() => calledSources(charts), [charts]);
  const source = sources.find(({ name }) => name === chosen) ?? sources[0];
  const series = useMemo(() => (source ? callSeries(charts, source.name) : null), [charts, source]);
  if (source === undefined || series === null)
    return <ChartCard title="Upstream calls" nothing="No calls in the last 90 days." />;
  const { name, title, quota } = source;
  const limit =
    quota === null ? undefined : { value: quota, message: `${title}'s API allows ${formatCount(quota)} a day` };
  const shared = { label: `Calls to ${title} per day`, unit: CALLS, series };
  return (
    <ChartCard
      title="Upstream calls"
      total={CALLS.long(series.days.at(-1)?.total ?? 0)}
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
export function DayTable({ label, series, unit }: { label: string; series: DaySeries; unit: Unit }) {
  const { parts } = series;
  const button = (message: string, mark: AdminFilter) => (
    <MarkButton mark={mark} className={styles.mark}>
      {message}
    </MarkButton>
  );
  return (
    <Box pos="absolute" inset={0} style={{ overflow: "auto", outlineOffset: -2 }}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {parts.map(({ key, title }) => (
              <th scope="col" key={key}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
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
