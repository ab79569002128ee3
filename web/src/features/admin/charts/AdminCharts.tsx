import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS, type AdminCharts as Charts } from "@slabdesk/contract/api/stats.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getAdminCharts } from "../../../api/charts-client.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import classes from "./AdminCharts.module.css";
import { BarList } from "./BarList.tsx";
import { CallsChart } from "./CallsChart.tsx";
import { ChartCard } from "./ChartCard.tsx";
import { CARDS, formatCount, MONEY } from "./chart-formats.ts";
import { CausesChart } from "./CausesChart.tsx";
import { CompanyChart } from "./CompanyChart.tsx";
import { GhostCharts, NothingYet } from "./GhostCharts.tsx";

type AdminChartsProps = { filter: AdminFilter; onMark: (filter: AdminFilter) => void };

/** Five charts of the last 90 days. Clicking a mark sets its filter. */
export default function AdminCharts({ filter, onMark }: AdminChartsProps): ReactNode {
  const query = useQuery({
    queryKey: queryKeys.adminCharts(),
    queryFn: ({ signal }) => getAdminCharts(signal),
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  if (query.data) return <FiveCharts charts={query.data} filter={filter} onMark={onMark} />;
  if (query.isError)
    return <AdminLoadError error={query.error} isRetrying={query.isFetching} onRetry={() => void query.refetch()} />;
  return <GhostCharts />;
}

export function FiveCharts({ charts, filter, onMark }: AdminChartsProps & { charts: Charts }): ReactNode {
  return (
    <div className={classes.charts}>
      <CompanyChart
        title="Scans per day"
        measure="cards"
        unit={CARDS}
        charts={charts}
        filter={filter}
        onMark={onMark}
      />
      <CompanyChart
        title="Market value looked up"
        measure="value"
        unit={MONEY}
        charts={charts}
        filter={filter}
        onMark={onMark}
      />
      <CallsChart charts={charts} filter={filter} onMark={onMark} />
      <CausesChart causes={charts.causes} filter={filter} onMark={onMark} />
      <PeopleChart people={charts.people} filter={filter} onMark={onMark} />
    </div>
  );
}

function PeopleChart({ people, filter, onMark }: AdminChartsProps & Pick<Charts, "people">): ReactNode {
  const bars = people.slice(0, 10).map(({ userId, fullName, email, cards }) => ({
    key: userId,
    title: fullName,
    tone: "accent",
    value: cards,
    figure: formatCount(cards),
    hint: email,
    mark: { user: { id: userId, name: fullName } },
  }));
  return (
    <ChartCard title="Cards per user" {...(bars.length > 0 && { figure: mostMessage(people.length) })}>
      {bars.length === 0 ? (
        <NothingYet>Nobody has scanned a card in the last 90 days.</NothingYet>
      ) : (
        <BarList label="Cards per user" layout="two" bars={bars} filter={filter} onMark={onMark} />
      )}
    </ChartCard>
  );
}

function mostMessage(count: number): string {
  return count > 10 ? `the 10 busiest of ${formatCount(count)}` : count === 1 ? "1 person" : `${count} people`;
}
