import { IconStack2 } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import { ListFilters } from "../lists/ListFilters.tsx";
import { ListPanel } from "../lists/ListPanel.tsx";
import { sessionColumns } from "./session-columns.tsx";
import styles from "./sessions.module.css";
import { useAdminSessions } from "./use-admin-sessions.ts";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";
import { useSessionDeletion } from "./use-session-deletion.tsx";

type SessionsPanelProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** All users' sessions, newest first. An admin can delete a session. */
export function SessionsPanel({ filter, onFilter }: SessionsPanelProps): ReactNode {
  const sessions = useAdminSessions(filter);
  const ids = useMemo(() => sessions.rows.map(({ id }) => id), [sessions.rows]);
  const { list, noteRemoval } = useFocusAfterRemoval(ids);
  const deletion = useSessionDeletion(noteRemoval);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListPanel
      title="Sessions"
      hint="Newest first"
      filters={<ListFilters filter={filter} onFilter={onFilter} />}
      className={styles.table}
      columns={sessionColumns(deletion)}
      cardsUpTo="68em"
      list={sessions}
      listRef={list}
      ghost={{ count: 10, rowHeight: "3.25rem", label: "Loading the sessions" }}
      empty={{
        Icon: IconStack2,
        title: "No scan sessions found",
        message: isFiltered
          ? "No session matches the filter."
          : "Sessions appear here when somebody processes a sheet.",
        action: isFiltered ? { label: "Show all sessions", run: () => onFilter({}) } : null,
      }}
    />
  );
}
