import type { AdminStats } from "@slabdesk/contract/api/stats.ts";
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import styles from "./overview.module.css";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

type Stat = { label: string; value: (stats: AdminStats) => string; note: (stats: AdminStats) => string };

const STATS: readonly Stat[] = [
  {
    label: "Total Users",
    value: ({ userCount }) => formatCount(userCount),
    note: ({ todayActivity }) => `${counted(todayActivity, "activity", "activities")} today`,
  },
  {
    label: "Scan Sessions",
    value: ({ sessionCount }) => formatCount(sessionCount),
    note: ({ sessionCount, scanCount }) =>
      sessionCount === 0 ? "No sheet yet" : `${formatCount(Math.round(scanCount / sessionCount))} scans each`,
  },
  {
    label: "Total Scans",
    value: ({ scanCount }) => formatCount(scanCount),
    note: ({ scanCount, successCount }) => `${formatCount(scanCount - successCount)} with an error`,
  },
  {
    label: "Success Rate",
    value: ({ successRate }) => `${successRate}%`,
    note: ({ scanCount, successCount }) => `${formatCount(successCount)} of ${formatCount(scanCount)}`,
  },
];

/** Four totals; null while they load. */
export function StatCards({ stats }: { stats: AdminStats | null }): ReactNode {
  return (
    <Panel padding="flush" aria-label="Totals" aria-busy={stats === null}>
      <dl className={styles.counts}>
        {STATS.map(({ label, value, note }) => (
          <div key={label} className={styles.count}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.value}>{stats === null ? <GhostLine width="4rem" /> : value(stats)}</dd>
            <Text component="dd" c="dimmed" fz="xs">
              {stats === null ? <GhostLine width="6rem" /> : note(stats)}
            </Text>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
