import type { AdminCharts, ChartSource } from "@slabdesk/contract/api/stats.ts";
import { type ReactNode, useMemo, useState } from "react";
import { ChoiceBar } from "../../../ui/form/ChoiceBar.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { callSeries, calledSources } from "./chart-series.ts";
import { ChartCard } from "./ChartCard.tsx";
import { CALLS, formatCount } from "./chart-formats.ts";
import styles from "./CallsChart.module.css";
import { DayBars } from "./DayBars.tsx";
import { DayTable } from "./DayTable.tsx";
import { NothingYet } from "./GhostCharts.tsx";

const TITLE = "Upstream calls";

type CallsChartProps = { charts: AdminCharts; filter: AdminFilter; onMark: (filter: AdminFilter) => void };

/** Daily calls to one upstream at a time, against its daily limit. */
export function CallsChart({ charts, filter, onMark }: CallsChartProps): ReactNode {
  const [chosen, setChosen] = useState<ChartSource | null>(null);
  const sources = useMemo(() => calledSources(charts), [charts]);
  const source = sources.find(({ name }) => name === chosen) ?? sources[0];
  const series = useMemo(() => (source ? callSeries(charts, source.name) : null), [charts, source]);
  if (source === undefined || series === null)
    return (
      <ChartCard title={TITLE}>
        <NothingYet>No upstream was called in the last 90 days.</NothingYet>
      </ChartCard>
    );
  const today = series.days.at(-1)?.total ?? 0;
  const limit =
    source.quota === null
      ? undefined
      : { value: source.quota, message: `${source.title}'s API allows ${formatCount(source.quota)} a day` };
  const shared = { label: `Calls to ${source.title} per day`, unit: CALLS, series, filter, onMark };
  return (
    <ChartCard
      title={TITLE}
      figure={
        <>
          <strong>{CALLS.long(today)}</strong> today
        </>
      }
      legend={
        <div className={styles.choice}>
          <ChoiceBar
            label="Calls to which upstream"
            choices={sources.map(({ name, title }) => ({ value: name, label: title }))}
            value={source.name}
            onChange={setChosen}
          />
        </div>
      }
      table={<DayTable {...shared} />}
    >
      {series.total === 0 ? (
        <NothingYet>{`${source.title} was not called in the last 90 days.`}</NothingYet>
      ) : (
        <DayBars {...shared} limit={limit} />
      )}
    </ChartCard>
  );
}
