import "@mantine/core/styles/SimpleGrid.layer.css";
import type { AdminStats } from "@slabdesk/contract/api/stats.ts";
import { Flex, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { adminStatsQuery } from "../../../api/stats.ts";
import { Boundary } from "../../../ui/Boundary.tsx";
import { counted, formatCount } from "../../../ui/format-numbers.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import { GhostCharts } from "../charts/ChartCard.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { FilterProps } from "../admin-filter.ts";
import { MatchingSessions, RecentActivity } from "./NewestLists.tsx";
import styles from "./overview.module.css";

const AdminCharts = lazyPart(async () => (await import("../charts/AdminCharts.tsx")).default);

type OverviewPanelProps = FilterProps & { onShow: (tab: "sessions" | "activity") => void };

export function OverviewPanel({ filter, onFilter, onShow }: OverviewPanelProps) {
  const stats = useQuery(adminStatsQuery);
  return (
    <Stack gap="sm">
      <Boundary name="The totals">
        {stats.isLoadingError ? <AdminLoadError query={stats} /> : <StatCards stats={stats.data ?? null} />}
      </Boundary>
      <Boundary name="The charts">
        <Suspense fallback={<GhostCharts />}>
          <AdminCharts filter={filter} onFilter={onFilter} />
        </Suspense>
      </Boundary>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <Boundary name="Recent activity">
          <RecentActivity filter={filter} onShowAll={() => onShow("activity")} />
        </Boundary>
        <Boundary name="This list">
          <MatchingSessions filter={filter} onShowAll={() => onShow("sessions")} />
        </Boundary>
      </SimpleGrid>
    </Stack>
  );
}

const LABELS = ["Total Users", "Scan Sessions", "Total Scans", "Success Rate"] as const;

function totalsOf(stats: AdminStats): Record<(typeof LABELS)[number], { value: string; note: string }> {
  const { userCount, todayActivity, sessionCount, scanCount, successCount, successRate } = stats;
  const activities = counted(todayActivity, "activity", "activities");
  const scansEach = `${formatCount(Math.round(scanCount / sessionCount))} scans each`;
  return {
    "Total Users": { value: formatCount(userCount), note: `${activities} today` },
    "Scan Sessions": { value: formatCount(sessionCount), note: sessionCount === 0 ? "No sheet yet" : scansEach },
    "Total Scans": { value: formatCount(scanCount), note: `${formatCount(scanCount - successCount)} with an error` },
    "Success Rate": { value: `${successRate}%`, note: `${formatCount(successCount)} of ${formatCount(scanCount)}` },
  };
}

function StatCards({ stats }: { stats: AdminStats | null }) {
  const totals = stats && totalsOf(stats);
  return (
    <Panel aria-label="Totals" aria-busy={stats === null} style={{ overflow: "hidden" }}>
      <dl className={styles.counts}>
        {LABELS.map((label) => (
          <div key={label} className={styles.count}>
            <Text component="dt" c="dimmed" fz="sm" fw={500} style={{ gridColumn: "1 / -1" }}>
              {label}
            </Text>
            <Flex component="dd" align="center" h="2rem" fz="1.5rem" fw={650} lts="-0.02em">
              {totals?.[label].value ?? <GhostLine width="4rem" />}
            </Flex>
            <Text component="dd" c="dimmed" fz="xs">
              {totals?.[label].note ?? <GhostLine width="6rem" />}
            </Text>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
