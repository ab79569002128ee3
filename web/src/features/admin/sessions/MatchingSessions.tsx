import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS, RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listAdminSessions } from "../../../api/admin-sessions-client.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { sessionProgress, STATUS_TONES } from "../../../run/session-messages.ts";
import { formatMoment } from "../../../ui/format-moment.ts";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { NewestPanel } from "../overview/NewestPanel.tsx";
import classes from "./MatchingSessions.module.css";
import { ownerName } from "./owner-messages.ts";
import { sessionsQuery } from "./sessions-query.ts";

type MatchingSessionsProps = { filter: AdminFilter; onShowAll: () => void };

/**
 * The newest sessions that match the filter, as many as the activity entries next to them. Without a filter, the newest
 * of all.
 */
export function MatchingSessions({ filter, onShowAll }: MatchingSessionsProps): ReactNode {
  const query = sessionsQuery(filter);
  const newest = useQuery({
    queryKey: queryKeys.newestSessions(query),
    queryFn: ({ signal }) => listAdminSessions({ ...query, limit: RECENT_ACTIVITY }, signal),
    select: ({ sessions }) => sessions,
    placeholderData: keepPreviousData,
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <NewestPanel
      title={isFiltered ? "Sessions that match" : "Newest sessions"}
      things="sessions"
      newest={newest}
      none="No scan sessions found"
      onShowAll={onShowAll}
      className={classes.sessions}
    >
      {(session) => (
        <>
          <span className={classes.name} title={`${session.sessionName} · ${formatMoment(session.uploadDate)}`}>
            {session.sessionName}
          </span>
          <span className={classes.who} title={session.owner?.email}>
            {ownerName(session)}
          </span>
          <span className={classes.figure}>{sessionProgress(session)}</span>
          <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
            {session.status}
          </StatusDot>
        </>
      )}
    </NewestPanel>
  );
}
