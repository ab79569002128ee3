import { IconStack2 } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import { DataTable } from "../../../ui/DataTable.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { NothingListed } from "../activity/NothingListed.tsx";
import { PersonSelect, withUser } from "../activity/PersonSelect.tsx";
import toolStyles from "../activity/tools.module.css";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { sessionColumns } from "./session-columns.tsx";
import styles from "./sessions.module.css";
import { useAdminSessions } from "./use-admin-sessions.ts";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";
import { useSessionDeletion } from "./use-session-deletion.tsx";

type SessionsPanelProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** All users' sessions, newest first. An admin can delete a session. */
export function SessionsPanel({ filter, onFilter }: SessionsPanelProps): ReactNode {
  const { sessions, state, error, isOutdated, isFetching, retry, showMore, isLoadingMore } = useAdminSessions(filter);
  const ids = useMemo(() => sessions.map(({ id }) => id), [sessions]);
  const { list, noteRemoval } = useFocusAfterRemoval(ids);
  const deletion = useSessionDeletion(noteRemoval);

  return (
    <Panel padding="flush" aria-labelledby="admin-sessions" aria-busy={state === "loading" || isOutdated}>
      <div className={toolStyles.head}>
        <SectionHeading id="admin-sessions" title="Sessions" hint="Newest first" />
        <div className={toolStyles.tools}>
          <PersonSelect user={filter.user} onUser={(user) => onFilter(withUser(filter, user))} />
        </div>
      </div>
      <DataTable
        className={styles.table}
        columns={sessionColumns(deletion)}
        rows={sessions}
        cardsUpTo="68em"
        isOutdated={isOutdated}
        listRef={list}
        onShowMore={showMore}
        isLoadingMore={isLoadingMore}
        placeholder={
          <>
            {state === "loading" && <GhostRows count={10} rowHeight="3.25rem" label="Loading the sessions" />}
            {state === "failed" && (
              <div className={toolStyles.problem}>
                <AdminLoadError error={error} isRetrying={isFetching} onRetry={retry} />
              </div>
            )}
            {state === "ready" && (
              <NothingListed
                icon={<IconStack2 size={32} stroke={1.25} />}
                title="No scan sessions found"
                things="sessions"
                isFiltered={Object.keys(filter).length > 0}
                whenFiltered="None matches the filter."
                whenNone="They stand here as soon as somebody processes a sheet."
                onShowAll={() => onFilter({})}
              />
            )}
          </>
        }
      />
    </Panel>
  );
}
