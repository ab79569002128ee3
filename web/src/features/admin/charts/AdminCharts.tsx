import type { AdminCharts as Charts } from "@slabdesk/contract/api/stats.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { adminChartsQuery } from "../../../api/stats.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./AdminCharts.module.css";
import { BarList } from "./BarList.tsx";
import { CausesChart } from "./CausesChart.tsx";
import { ChartCard } from "./ChartCard.tsx";
import { CARDS, formatCount, MONEY } from "./chart-formats.ts";
import { CallsChart, CompanyChart } from "./DayCharts.tsx";
import { GhostCharts } from "./GhostCharts.tsx";
import { type MarkChoice, MarkContext } from "./marks.ts";

/** Five charts of the last 90 days. Clicking a mark sets its filter. */
export default function AdminCharts({ filter, onMark }: MarkChoice): ReactNode {
  const query = useQuery(adminChartsQuery);
  if (query.data) return <FiveCharts charts={query.data} filter={filter} onMark={onMark} />;
  return query.isError ? <AdminLoadError query={query} /> : <GhostCharts />;
}

export function FiveCharts({ charts, ...choice }: MarkChoice & { charts: Charts }): ReactNode {
  return (
    <MarkContext value={choice}>
      <div className={styles.charts}>
        <CompanyChart
          title="Scans per day"
          measure="cards"
          unit={CARDS}
          charts={charts}
          nothing="No card came to an end in the last 90 days."
        />
        <CompanyChart
          title="Market value looked up"
          measure="value"
          unit={MONEY}
          charts={charts}
          nothing="No card was priced in the last 90 days."
        />
        <CallsChart charts={charts} />
        <CausesChart causes={charts.causes} />
        <PeopleChart people={charts.people} />
      </div>
    </MarkContext>
  );
}

function PeopleChart({ people }: Pick<Charts, "people">): ReactNode {
  const title = "Cards per user";
  if (people.length === 0) return <ChartCard title={title} nothing="Nobody has scanned a card in the last 90 days." />;
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
    <ChartCard title={title} figure={mostMessage(people.length)}>
      <BarList label={title} layout="two" bars={bars} />
    </ChartCard>
  );
}

function mostMessage(count: number): string {
  return count > 10 ? `the 10 busiest of ${formatCount(count)}` : count === 1 ? "1 person" : `${count} people`;
}
