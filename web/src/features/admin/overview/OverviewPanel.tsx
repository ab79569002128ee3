import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { adminStatsQuery } from "../../../api/stats.ts";
import { Boundary } from "../../../ui/Boundary.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { GhostCharts } from "../charts/GhostCharts.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { MatchingSessions, RecentActivity } from "./NewestLists.tsx";
import styles from "./overview.module.css";
import { StatCards } from "./StatCards.tsx";

const AdminCharts = lazyPart(async () => (await import("../charts/AdminCharts.tsx")).default);

type OverviewPanelProps = {
  filter: AdminFilter;
  onFilter: (filter: AdminFilter) => void;
  onShow: (tab: "sessions" | "activity") => void;
};

/** Four totals, the charts, and the newest items that match the filter. */
export function OverviewPanel({ filter, onFilter, onShow }: OverviewPanelProps): ReactNode {
  const stats = useQuery(adminStatsQuery);
  return (
    <Stack gap="sm">
      <Boundary name="The totals">
        {stats.isLoadingError ? <AdminLoadError query={stats} /> : <StatCards stats={stats.data ?? null} />}
      </Boundary>
      <Boundary name="The charts">
        <Suspense fallback={<GhostCharts />}>
          <AdminCharts filter={filter} onMark={onFilter} />
        </Suspense>
      </Boundary>
      <div className={styles.lists}>
        <Boundary name="Recent activity">
          <RecentActivity filter={filter} onShowAll={() => onShow("activity")} />
        </Boundary>
        <Boundary name="This list">
          <MatchingSessions filter={filter} onShowAll={() => onShow("sessions")} />
        </Boundary>
      </div>
    </Stack>
  );
}
