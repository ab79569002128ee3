import { RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listAdminSessions } from "../../../api/sessions.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { sessionProgress, STATUS_TONES } from "../../../run/session-messages.ts";
import { formatMoment } from "../../../ui/format-moment.ts";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { type AdminFilter, sessionsQuery } from "../admin-filter.ts";
import { LIST_QUERY } from "../lists/list-query.ts";
import { NewestPanel } from "../lists/NewestPanel.tsx";
import { ownerName } from "./deletion-messages.ts";

type MatchingSessionsProps = { filter: AdminFilter; onShowAll: () => void };

/**
 * The newest sessions that match the filter, as many as the activity entries next to them. Without a filter, the newest
 * of all.
 */
export function MatchingSessions({ filter, onShowAll }: MatchingSessionsProps): ReactNode {
  const query = sessionsQuery(filter);
  const newest = useQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.newestSessions(query),
    queryFn: ({ signal }) => listAdminSessions({ ...query, limit: RECENT_ACTIVITY }, signal),
    select: ({ sessions }) => sessions,
  });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <NewestPanel
      title={isFiltered ? "Sessions that match" : "Newest sessions"}
      things="sessions"
      newest={newest}
      none="No scan sessions found"
      onShowAll={onShowAll}
    >
      {(session) => (
        <>
          <Box component="span" fw={550} title={`${session.sessionName} · ${formatMoment(session.uploadDate)}`}>
            {session.sessionName}
          </Box>
          <Box component="span" c="dimmed" title={session.owner.email}>
            {ownerName(session)}
          </Box>
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
