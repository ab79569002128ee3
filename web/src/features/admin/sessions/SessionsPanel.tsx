import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { queryKeys } from "../../../api/query-keys.ts";
import { type AdminSessionList, deleteScanSession, listAdminSessions, sessionsOf } from "../../../api/sessions.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";
import { SessionStatusDot } from "../../../run/SessionStatusDot.tsx";
import { modeMessage, sessionProgress } from "../../../run/session-messages.ts";
import type { DataColumns } from "../../../ui/DataTable.tsx";
import { type AdminFilter, type FilterProps, sessionsQuery } from "../admin-filter.ts";
import { LIST_QUERY, ListFilters, ListPanel, type LoadedList } from "../lists/ListPanel.tsx";
import { nameOf } from "../users/user-messages.ts";
import styles from "./sessions.module.css";
import { errorMessage } from "../../../api/errors.ts";
import { useAction } from "../../../api/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { counted } from "../../../ui/format-numbers.ts";
import { toast } from "../../../ui/toast.tsx";

/** All users' sessions, newest first. An admin can delete a session. */
export function SessionsPanel({ filter, onFilter }: FilterProps) {
  const sessions = useAdminSessions(filter);
  const { list, noteRemoval } = useFocusAfterRemoval(sessions.rows);
  const deletion = useSessionDeletion(noteRemoval);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListPanel
      title="Sessions"
      hint="Newest first"
      filters={<ListFilters filter={filter} onFilter={onFilter} />}
      classes={styles}
      columns={sessionColumns(deletion)}
      cards={{
        upTo: "68em",
        template: `"name name status" "user date date" "progress mode end" / fit-content(50%) minmax(0, 1fr) auto`,
      }}
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

function sessionColumns(deletion: ReturnType<typeof useSessionDeletion>): DataColumns<AdminSession> {
  return {
    name: {
      header: "Session Name",
      isRowHeader: true,
      cellStyle: { fontWeight: 550 },
      cardStyle: { fontWeight: 600, fontSize: "0.875rem" },
      title: ({ sessionName }) => sessionName,
      cell: ({ id, sessionName }) => <SessionLink id={id}>{sessionName}</SessionLink>,
    },
    user: {
      header: "User",
      style: { width: "16%" },
      cardStyle: { color: "var(--sd-muted)" },
      title: ({ owner }) => owner.email,
      cell: ({ owner }) => <PersonLink id={owner.id}>{nameOf(owner)}</PersonLink>,
    },
    date: {
      header: "Date",
      style: { width: "min(12rem, 16.5vw)" },
      cellStyle: { color: "var(--sd-neutral)" },
      cardStyle: { color: "var(--sd-muted)" },
      cell: ({ uploadDate }) => <time dateTime={uploadDate}>{formatRecent(uploadDate)}</time>,
    },
    progress: {
      header: "Cards",
      style: { width: "min(10rem, 12vw)", paddingInlineEnd: "1.25rem", textAlign: "end" },
      cardStyle: { fontWeight: 600 },
      cell: sessionProgress,
    },
    status: {
      header: "Status",
      style: { width: "min(8.5rem, 11vw)" },
      cardStyle: { justifySelf: "end" },
      cell: ({ status }) => <SessionStatusDot status={status} />,
    },
    mode: {
      header: "Mode",
      style: { width: "min(13rem, 14vw)" },
      cellStyle: { color: "var(--sd-neutral)", lineHeight: 1.2, whiteSpace: "normal" },
      cardStyle: { color: "var(--sd-muted)", lineHeight: 1.2 },
      cell: ({ processingMode }) => modeMessage(processingMode),
    },
    end: {
      header: "Delete",
      style: { width: "min(6.5rem, 8vw)", overflow: "visible", textAlign: "end" },
      cardStyle: { alignSelf: "end", overflow: "visible", textAlign: "end" },
      cell: (session) => (
        <Button
          size="compact-sm"
          me="-0.5rem"
          variant="subtle"
          color="bad"
          data-delete
          aria-label={`Delete ${session.sessionName}`}
          loading={deletion.deleting.has(session.id)}
          onClick={() => void deletion.ask(session)}
        >
          Delete
        </Button>
      ),
    },
  };
}

function useAdminSessions(filter: AdminFilter): LoadedList<AdminSession> {
  const query = sessionsQuery(filter);
  const list = useInfiniteQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.adminSessionList(query),
    queryFn: ({ pageParam, signal }) => listAdminSessions({ ...query, cursor: pageParam }, signal),
    initialPageParam: "0",
    getNextPageParam: (page) => page.nextCursor,
    select: sessionsOf,
  });
  return {
    rows: list.data ?? [],
    query: list,
    showMore: list.hasNextPage ? () => void list.fetchNextPage() : null,
    isLoadingMore: list.isFetchingNextPage,
  };
}

/**
 * Deleting a line removes its focused button and would reset the focus to the top of the page. Moves the focus to the
 * button of the line that takes its place, or else to the list. Call `noteRemoval` while the line is still in the list.
 */
function useFocusAfterRemoval(rows: readonly AdminSession[]) {
  const list = useRef<HTMLDivElement>(null);
  const removed = useRef<{ id: string; place: number } | null>(null);
  useEffect(() => {
    if (removed.current === null || rows.some(({ id }) => id === removed.current?.id)) return;
    const next = rows[Math.min(removed.current.place, rows.length - 1)];
    removed.current = null;
    if (document.activeElement !== document.body) return;
    const line = next && list.current?.querySelector(`[data-id="${CSS.escape(next.id)}"]`);
    (line?.querySelector<HTMLElement>("button[data-delete]") ?? list.current)?.focus();
  }, [rows]);
  return {
    list,
    noteRemoval: (id: string) => (removed.current = { id, place: rows.findIndex((row) => row.id === id) }),
  };
}

/** Deletes a session after a confirmation. Calls `onDeleted` right before the session leaves the list. */
function useSessionDeletion(onDeleted: (sessionId: string) => void) {
  const queryClient = useQueryClient();
  const { run, pending } = useAction({
    send: ({ id }: AdminSession) =>
      deleteScanSession(id).finally(() => {
        void queryClient.invalidateQueries({ queryKey: queryKeys.admin() });
        void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
      }),
    keyOf: idOf,
    failure: ({ id }, error) => ({ id: `delete-${id}`, message: `Failed to delete session: ${errorMessage(error)}` }),
    onDone: (_, { id }) => {
      toast.done({ message: "Session deleted successfully" });
      onDeleted(id);
      queryClient.setQueriesData<InfiniteData<AdminSessionList>>(
        { queryKey: queryKeys.adminSessionLists() },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, sessions: page.sessions.filter((one) => one.id !== id) })),
          },
      );
    },
  });
  return {
    /** Sessions being deleted; a large one takes a while. */
    deleting: new Set(pending.map(idOf)),
    ask: async (session: AdminSession) => {
      const question = { ...deletionMessage(session), confirmLabel: "Delete session", isDestructive: true };
      if (await confirmDialog(question)) run(session);
    },
  };
}

const idOf = ({ id }: AdminSession): string => id;

type DoomedSession = Pick<AdminSession, "owner" | "sessionName" | "status" | "totalCards">;

/** The confirmation names the session and warns that its results will be deleted. */
export function deletionMessage({ owner, sessionName, totalCards, status }: DoomedSession) {
  const running =
    status === "processing" ? " It is still running. Cards that are not looked up yet never will be." : "";
  return {
    title: `Delete “${sessionName}”?`,
    message: `${nameOf(owner)}'s session and its ${counted(totalCards, "result")} are deleted for everyone. This cannot be undone.${running}`,
  };
}
