import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS } from "@slabdesk/contract/api/stats.ts";
import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listAdminSessions } from "../../../api/admin-sessions-client.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { sessionProgress, STATUS_TONES } from "../../../session/session-words.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { DeskFilter } from "../desk-filter.ts";
import { momentWords } from "../../../ui/moment-words.ts";
import classes from "./MatchingSessions.module.css";
import { ownerName } from "./owner-words.ts";
import { sessionsQuery } from "./sessions-query.ts";

/** As many as the newest entries of the activity beside them. */
const SHOWN = 5;

type MatchingSessionsProps = { filter: DeskFilter; onShowAll: () => void };

/** The newest few sessions that a mark stands for; without one, of all. */
export function MatchingSessions({ filter, onShowAll }: MatchingSessionsProps): ReactNode {
  const query = sessionsQuery(filter);
  const newest = useQuery({
    queryKey: queryKeys.newestSessions(query),
    queryFn: ({ signal }) => listAdminSessions({ ...query, limit: SHOWN }, signal),
    placeholderData: keepPreviousData,
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  const sessions = newest.data?.sessions;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Panel padding="flush" aria-labelledby="matching-sessions" aria-busy={newest.isPending} className={classes.panel}>
      <div className={classes.head}>
        <SectionHeading
          level={3}
          id="matching-sessions"
          title={isFiltered ? "Sessions that match" : "Newest sessions"}
          actions={
            <Button size="compact-xs" variant="subtle" aria-label="Show all sessions" onClick={onShowAll}>
              Show all
            </Button>
          }
        />
      </div>
      {newest.isPending && <GhostRows count={SHOWN} rowHeight="2.25rem" label="Loading the sessions" />}
      {newest.isError && sessions === undefined && (
        <div className={classes.problem}>
          <AdminLoadError error={newest.error} isRetrying={newest.isFetching} onRetry={() => void newest.refetch()} />
        </div>
      )}
      {sessions?.length === 0 && <p className={classes.none}>No scan sessions found</p>}
      {sessions !== undefined && sessions.length > 0 && (
        <ul className={classes.list} aria-labelledby="matching-sessions">
          {sessions.map((session) => (
            <li key={session.id} className={classes.line}>
              <span className={classes.name} title={`${session.sessionName} · ${momentWords(session.uploadDate)}`}>
                {session.sessionName}
              </span>
              <span className={classes.who} title={session.owner?.email}>
                {ownerName(session)}
              </span>
              <span className={classes.figure}>{sessionProgress(session)}</span>
              <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
                {session.status}
              </StatusDot>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
