import "@mantine/core/styles/SimpleGrid.layer.css";
import { type AdminStats, RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Box, Button, Flex, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { adminStatsQuery } from "../../../api/stats.ts";
import { Boundary } from "../../../ui/Boundary.tsx";
import { counted, formatCount } from "../../../ui/format-numbers.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostLine, GhostRows } from "../../../ui/Skeletons.tsx";
import { GhostCharts } from "../charts/ChartCard.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { type AdminFilter, type FilterProps, sessionsQuery } from "../admin-filter.ts";
import styles from "./overview.module.css";
import { formatExactMoment, formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { listActivity } from "../../../api/activity.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { listAdminSessions } from "../../../api/sessions.ts";
import { SessionStatusDot } from "../../../run/SessionStatusDot.tsx";
import { sessionProgress } from "../../../run/session-messages.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { activityQuery, EntryLink, EVERYTHING } from "../activity/ActivityPanel.tsx";
import { ACTIVITY_LABELS } from "../activity/activity-messages.ts";
import { LIST_QUERY } from "../lists/ListPanel.tsx";
import { nameOf } from "../users/user-messages.ts";

const AdminCharts = lazyPart(async () => (await import("../charts/AdminCharts.tsx")).default);

type OverviewPanelProps = FilterProps & { onShow: (tab: "sessions" | "activity") => void };

export function OverviewPanel({ filter, onFilter, onShow }: OverviewPanelProps) {
  const stats = useQuery(adminStatsQuery);
  return (
    <Stack gap="sm">
      <Boundary name="The totals">
        {stats.isLoadingError ? <AdminLoadError query={stats} /> : <StatCards stats={stats.data ?? null} />}
      </Boundary>
      <Boundary name="The charts" loading={<GhostCharts />}>
        <AdminCharts filter={filter} onFilter={onFilter} />
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

type NewestListProps = { filter: AdminFilter; onShowAll: () => void };

/** The five newest entries that match the user and day of the filter. */
function RecentActivity({ filter, ...more }: NewestListProps) {
  const query = activityQuery(filter, EVERYTHING);
  const newest = useQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.newestActivity(query),
    queryFn: ({ signal }) => listActivity({ ...query, limit: RECENT_ACTIVITY }, signal),
    select: ({ activity }) => activity,
  });
  return (
    <NewestPanel title="Recent activity" things="activity" newest={newest} none="No activity found" {...more}>
      {(entry) => (
        <>
          <PersonLink id={entry.userId} fw={550} title={entry.user.email}>
            {nameOf(entry.user)}
          </PersonLink>
          <span title={entry.description}>
            {ACTIVITY_LABELS[entry.activityType]}
            <Box component="span" c="dimmed" ms="xs">
              <EntryLink entry={entry} />
            </Box>
          </span>
          <Box component="time" c="dimmed" dateTime={entry.timestamp} title={formatExactMoment(entry.timestamp)}>
            {formatRecent(entry.timestamp)}
          </Box>
        </>
      )}
    </NewestPanel>
  );
}

/** The newest sessions that match the filter, as many as the activity entries next to them. */
function MatchingSessions({ filter, ...more }: NewestListProps) {
  const query = sessionsQuery(filter);
  const newest = useQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.newestSessions(query),
    queryFn: ({ signal }) => listAdminSessions({ ...query, limit: RECENT_ACTIVITY }, signal),
    select: ({ sessions }) => sessions,
  });
  const title = Object.keys(filter).length > 0 ? "Sessions that match" : "Newest sessions";
  return (
    <NewestPanel title={title} things="sessions" newest={newest} none="No scan sessions found" {...more}>
      {(session) => (
        <>
          <SessionLink id={session.id} fw={550} title={`${session.sessionName} · ${formatRecent(session.uploadDate)}`}>
            {session.sessionName}
          </SessionLink>
          <PersonLink id={session.owner.id} title={session.owner.email}>
            {nameOf(session.owner)}
          </PersonLink>
          <Box component="span" ta="end" style={{ fontVariantNumeric: "tabular-nums" }}>
            {sessionProgress(session)}
          </Box>
          <SessionStatusDot status={session.status} />
        </>
      )}
    </NewestPanel>
  );
}

type NewestPanelProps<Line> = {
  title: string;
  /** Used in labels, and sets the columns. */
  things: "activity" | "sessions";
  newest: UseQueryResult<readonly Line[]>;
  none: string;
  onShowAll: () => void;
  children: (line: Line) => ReactNode;
};

/** The newest few items of a long list, with a link to the full list. */
function NewestPanel<Line extends { id: string }>(props: NewestPanelProps<Line>) {
  const { title, things, newest, none, onShowAll, children } = props;
  const { data: lines, isPending, isError } = newest;
  return (
    <Panel aria-label={title} aria-busy={isPending} style={{ overflow: "hidden" }}>
      <Box p="0.625rem 0.75rem 0.375rem 1rem">
        <SectionHeading
          level={3}
          title={title}
          actions={
            <Button size="compact-xs" variant="subtle" aria-label={`Show all ${things}`} onClick={onShowAll}>
              Show all
            </Button>
          }
        />
      </Box>
      {isPending && <GhostRows count={RECENT_ACTIVITY} rowHeight="2.25rem" label={`Loading the ${things}`} />}
      {isError && lines === undefined && (
        <Box p="0.25rem 0.75rem 0.75rem">
          <AdminLoadError query={newest} />
        </Box>
      )}
      {lines?.length === 0 && (
        <Text p="md" c="dimmed" fz="sm">
          {none}
        </Text>
      )}
      {lines !== undefined && lines.length > 0 && (
        <ul className={styles.list} data-things={things} aria-label={title}>
          {lines.map((line) => (
            <li key={line.id} className={styles.line}>
              {children(line)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
