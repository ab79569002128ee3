import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconStack2 } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import listClasses from "../activity/list.module.css";
import { NothingListed } from "../activity/NothingListed.tsx";
import { PersonSelect, withUser } from "../activity/PersonSelect.tsx";
import toolClasses from "../activity/tools.module.css";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { SessionCards } from "./SessionCards.tsx";
import { SessionsTable } from "./SessionsTable.tsx";
import { useAdminSessions } from "./use-admin-sessions.ts";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";
import { useSessionDeletion } from "./use-session-deletion.tsx";

/** Too narrow for the seven columns. */
const NARROW = "(max-width: 68em)";

type SessionsPanelProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** All users' sessions, newest first. An admin can delete a session. */
export function SessionsPanel({ filter, onFilter }: SessionsPanelProps): ReactNode {
  const { sessions, state, error, isOutdated, isFetching, retry, showMore, isLoadingMore } = useAdminSessions(filter);
  const ids = useMemo(() => sessions.map(({ id }) => id), [sessions]);
  const { list, noteRemoval } = useFocusAfterRemoval(ids);
  const deletion = useSessionDeletion(noteRemoval);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const lines = { sessions, deletion };

  return (
    <Panel padding="flush" aria-labelledby="admin-sessions" aria-busy={state === "loading" || isOutdated}>
      <div className={listClasses.head}>
        <SectionHeading id="admin-sessions" title="Sessions" hint="Newest first" />
        <div className={toolClasses.tools}>
          <PersonSelect user={filter.user} onUser={(user) => onFilter(withUser(filter, user))} />
        </div>
      </div>
      {state === "loading" && <GhostRows count={10} rowHeight="3.25rem" label="Loading the sessions" />}
      {state === "failed" && (
        <div className={listClasses.problem}>
          <AdminLoadError error={error} isRetrying={isFetching} onRetry={retry} />
        </div>
      )}
      {state === "ready" && sessions.length === 0 && (
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
      {sessions.length > 0 && (
        <div ref={list} tabIndex={-1} className={listClasses.list} data-outdated={isOutdated || undefined}>
          {isNarrow ? <SessionCards {...lines} /> : <SessionsTable {...lines} />}
        </div>
      )}
      {showMore !== null && (
        <div className={listClasses.more}>
          <Button size="xs" loading={isLoadingMore} onClick={showMore}>
            Show more
          </Button>
        </div>
      )}
    </Panel>
  );
}
