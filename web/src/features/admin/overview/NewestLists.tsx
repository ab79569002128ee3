import { RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { formatExactMoment, formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Box, Button, Text } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { listActivity } from "../../../api/activity.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { listAdminSessions } from "../../../api/sessions.ts";
import { sessionProgress, STATUS_TONES } from "../../../run/session-messages.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { activityQuery, EVERYTHING } from "../activity/activity-filter.ts";
import { EntryLink } from "../activity/ActivityPanel.tsx";
import { ACTIVITY_LABELS } from "../activity/activity-messages.ts";
import { type AdminFilter, sessionsQuery } from "../admin-filter.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { LIST_QUERY } from "../lists/ListPanel.tsx";
import { nameOf } from "../users/user-messages.ts";
import styles from "./NewestLists.module.css";

type NewestListProps = { filter: AdminFilter; onShowAll: () => void };

/** The five newest entries that match the user and day of the filter. */
export function RecentActivity({ filter, ...more }: NewestListProps) {
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
export function MatchingSessions({ filter, ...more }: NewestListProps) {
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
          <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
            {session.status}
          </StatusDot>
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
  const titleId = useId();
  const { data: lines, isPending, isError } = newest;
  return (
    <Panel aria-labelledby={titleId} aria-busy={isPending} style={{ overflow: "hidden" }}>
      <Box p="0.625rem 0.75rem 0.375rem 1rem">
        <SectionHeading
          level={3}
          id={titleId}
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
        <ul className={styles.list} data-things={things} aria-labelledby={titleId}>
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
