import type { AdminCharts as Charts } from "@slabdesk/contract/api/stats.ts";
import { useQuery } from "@tanstack/react-query";
import { adminChartsQuery } from "../../../api/stats.ts";
import type { FilterProps } from "../admin-filter.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./AdminCharts.module.css";
import { CausesChart, PeopleChart } from "./BarCharts.tsx";
import { CallsChart, CompanyChart } from "./DayCharts.tsx";
import { GhostCharts } from "./ChartCard.tsx";
import { MarkContext } from "./MarkButton.tsx";

/** Five charts of the last 90 days. Clicking a mark sets its filter. */
export default function AdminCharts(choice: FilterProps) {
  const query = useQuery(adminChartsQuery);
  if (query.data) return <FiveCharts charts={query.data} {...choice} />;
  return query.isError ? <AdminLoadError query={query} /> : <GhostCharts />;
}

export function FiveCharts({ charts, ...choice }: FilterProps & { charts: Charts }) {
  return (
    <MarkContext value={choice}>
      <div className={styles.charts}>
        <CompanyChart measure="cards" charts={charts} />
        <CompanyChart measure="value" charts={charts} />
        <CallsChart charts={charts} />
        <CausesChart causes={charts.causes} />
        <PeopleChart people={charts.people} />
      </div>
    </MarkContext>
  );
}
