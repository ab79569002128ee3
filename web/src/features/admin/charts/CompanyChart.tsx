import type { AdminCharts } from "@slabdesk/contract/api/stats.ts";
import { type ReactNode, useMemo } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import { ChartCard } from "./ChartCard.tsx";
import { companySeries } from "./chart-series.ts";
import type { Unit } from "./chart-formats.ts";
import { DayBars } from "./DayBars.tsx";
import { DayTable } from "./DayTable.tsx";
import { NothingYet } from "./GhostCharts.tsx";
import { Legend } from "./Legend.tsx";

type CompanyChartProps = {
  title: string;
  measure: "cards" | "value";
  unit: Unit;
  charts: AdminCharts;
  filter: AdminFilter;
  onMark: (filter: AdminFilter) => void;
};

/** Cards, or their market value, by company and by the day they finished. */
export function CompanyChart({ title, measure, unit, charts, filter, onMark }: CompanyChartProps): ReactNode {
  const series = useMemo(() => companySeries(charts, measure), [charts, measure]);
  const shared = { label: title, unit, filter, onMark };
  if (series.total === 0)
    return (
      <ChartCard title={title}>
        <NothingYet>
          {measure === "cards"
            ? "No card came to an end in the last 90 days."
            : "No card was priced in the last 90 days."}
        </NothingYet>
      </ChartCard>
    );
  return (
    <ChartCard
      title={title}
      figure={
        <>
          <strong>{unit.long(series.total)}</strong> in 90 days
        </>
      }
      legend={<Legend {...shared} label={`${title} by company`} parts={series.parts} />}
      table={<DayTable {...shared} series={series} />}
    >
      <DayBars {...shared} series={series} />
    </ChartCard>
  );
}
