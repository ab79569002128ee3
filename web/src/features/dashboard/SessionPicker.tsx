import { type ScanSession, SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Box, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFilter, IconStack2 } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { isGone, loadProblem } from "../../api/errors.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { getScanSession, listScanSessions, sessionsOf } from "../../api/sessions.ts";
import { newerSession } from "../../run/open-session.ts";
import { SessionStatusDot } from "../../run/SessionStatusDot.tsx";
import { sessionProgress } from "../../run/session-messages.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { hasModifier, targetOfKey } from "../../ui/keys/grid-keys.ts";
import { Panel } from "../../ui/Panel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { useVirtualRows } from "../../ui/use-virtual-rows.ts";
import type { DashboardState } from "./dashboard-storage.ts";
import styles from "./SessionPicker.module.css";

const SORT_LABELS: Record<DashboardState["sort"], readonly [sort: string, descending: string, ascending: string]> = {
  date: ["Date", "Newest first", "Oldest first"],
  name: ["Name", "Z to A", "A to Z"],
  cards: ["Cards", "Most first", "Fewest first"],
  status: ["Status", "Z to A", "A to Z"],
};

const SORT_CHOICES = SESSION_SORTS.map((value) => ({ value, label: SORT_LABELS[value][0] }));

/** Debounce for the filter. */
const FILTER_PAUSE_MS = 200;
/** How often running sessions refresh while they are listed and the list is visible. */
const RUNNING_REFRESH_MS = 5_000;

type SessionPickerProps = {
  isShown: boolean;
  state: DashboardState;
  onChange: (change: Partial<DashboardState>) => void;
  /** The session that is followed live. */
  open: ScanSession | null;
  chosenId: string | null;
  onChoose: (session: ScanSession) => void;
};

/** The session list with its filter, sort, and order. */
export function SessionPicker({ isShown, state, onChange, open, chosenId, onChoose }: SessionPickerProps) {
  const [filter] = useDebouncedValue(state.filter.trim(), FILTER_PAUSE_MS);
  const { sessions, isLoading, loadMore, problem } = useSessionList(state, filter, open, isShown);
  const [, descending, ascending] = SORT_LABELS[state.sort];
  const isFiltered = state.filter.trim() !== "";
  return (
    <Panel
      aria-label="Sessions"
      aria-busy={isLoading}
      display="flex"
      mih={0}
      style={{ flexDirection: "column", overflow: "hidden" }}
    >
      <div className={styles.tools}>
        <TextInput
          style={{ gridColumn: "1 / -1" }}
          type="search"
          size="xs"
          aria-label="Filter sessions by session name or file name"
          placeholder="Session or file name"
          leftSection={<IconFilter size={15} aria-hidden="true" />}
          maxLength={500}
          value={state.filter}
          onChange={(event) => onChange({ filter: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape" && state.filter !== "") onChange({ filter: "" });
          }}
        />
        <NativeSelect
          size="xs"
          aria-label="Sort by"
          data={SORT_CHOICES}
          value={state.sort}
          onChange={(event) => onChange(sortOf(event.currentTarget.value))}
        />
        <NativeSelect
          size="xs"
          aria-label="Order"
          data={[
            { value: "desc", label: descending },
            { value: "asc", label: ascending },
          ]}
          value={state.order}
          onChange={(event) => onChange({ order: event.currentTarget.value === "asc" ? "asc" : "desc" })}
        />
      </div>
      {problem !== null && <ErrorPanel m="sm" {...problem} />}
      {isLoading && <GhostRows count={6} rowHeight="5rem" label="Loading your scan sessions" />}
      {!isLoading && problem === null && sessions.length === 0 && (
        <EmptyState icon={<IconStack2 size={32} stroke={1.25} />} title="No scan sessions found">
          {isFiltered
            ? "No matching sessions. Clear the filter to see all of them."
            : "Process a sheet in the Scanner and its session is kept here."}
        </EmptyState>
      )}
      {sessions.length > 0 && (
        <SessionList sessions={sessions} chosenId={chosenId} onChoose={onChoose} loadMore={loadMore} />
      )}
    </Panel>
  );
}

/** Parses a selected sort and adds its usual order. */
function sortOf(value: string): Pick<DashboardState, "sort" | "order"> {
  const sort = SESSION_SORTS.find((known) => known === value) ?? "date";
  return { sort, order: sort === "date" || sort === "cards" ? "desc" : "asc" };
}

const ENTRY_HEIGHT = 76;
/** Loads older sessions when the view is this close to the last loaded one. */
const LOAD_AHEAD = 10;

type SessionListProps = Pick<SessionPickerProps, "chosenId" | "onChoose"> & {
  sessions: readonly ScanSession[];
  /** Loads older sessions; null if there are none or they are loading. */
  loadMore: (() => void) | null;
};

/** One Tab stop, arrow keys to move, Enter to open. Renders only the visible entries and the active one. */
function SessionList({ sessions, chosenId, onChoose, loadMore }: SessionListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  // The entry that the keys moved to. Selecting a session anywhere makes that session the active entry.
  const [moved, setMoved] = useState<{ toId: string; chosenId: string | null } | null>(null);
  const activeId = moved?.chosenId === chosenId ? moved.toId : chosenId;
  const hasMoved = useRef(false);
  const indexOf = (wanted: string | null): number => sessions.findIndex(({ id }) => id === wanted);
  const activeIndex = Math.max(0, indexOf(activeId));
  const virtualizer = useVirtualRows(scroller, { count: sessions.length, rowHeight: ENTRY_HEIGHT, activeIndex });
  useLayoutEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    scroller.current
      ?.querySelector<HTMLElement>(`[aria-posinset="${activeIndex + 1}"] button`)
      ?.focus({ preventScroll: true });
  }, [activeIndex]);
  const isChosenListed = indexOf(chosenId) >= 0;
  const show = useEffectEvent((id: string | null) => virtualizer.scrollToIndex(indexOf(id), { align: "auto" }));
  useEffect(() => {
    if (isChosenListed) show(chosenId);
  }, [chosenId, isChosenListed]);
  const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= sessions.length - LOAD_AHEAD;
  useEffect(() => {
    if (isNearEnd) loadMore?.();
  }, [isNearEnd, loadMore]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (hasModifier(event)) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ENTRY_HEIGHT) - 1);
    const wanted = targetOfKey(event.key, { activeIndex, page, count: sessions.length });
    if (wanted === null) return;
    event.preventDefault();
    const target = Math.max(0, Math.min(sessions.length - 1, wanted));
    hasMoved.current = target !== activeIndex;
    const session = sessions[target];
    if (session) setMoved({ toId: session.id, chosenId });
    virtualizer.scrollToIndex(target, { align: "auto" });
  };

  return (
    <div ref={scroller} style={{ flex: 1, minHeight: 0, overflow: "hidden auto", scrollbarWidth: "thin" }}>
      <ul aria-label="Scan sessions" style={{ position: "relative", height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const session = sessions[index];
          if (!session) return null;
          return (
            <li
              key={session.id}
              aria-setsize={loadMore === null ? sessions.length : -1}
              aria-posinset={index + 1}
              style={{ position: "absolute", inset: "0 0 auto", height: ENTRY_HEIGHT, translate: `0 ${start}px` }}
            >
              <button
                type="button"
                className={styles.entry}
                tabIndex={index === activeIndex ? 0 : -1}
                aria-current={session.id === chosenId}
                onKeyDown={onKeyDown}
                onClick={() => {
                  setMoved(null);
                  onChoose(session);
                }}
              >
                <Entry session={session} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Entry({ session }: { session: ScanSession }) {
  return (
    <>
      <Text span truncate fw={600} title={session.sessionName}>
        {session.sessionName}
      </Text>
      <Box component="span" fz="xs" style={{ justifySelf: "end" }}>
        <SessionStatusDot status={session.status} />
      </Box>
      <Text span truncate fz="sm" c="var(--sd-muted)" style={{ gridColumn: "1 / -1" }} title={session.csvFilename}>
        {session.csvFilename}
      </Text>
      <Text component="time" fz="xs" c="var(--sd-muted)" dateTime={session.uploadDate}>
        {formatRecent(session.uploadDate)}
      </Text>
      <Text span fz="sm" fw={600} ta="end" style={{ fontVariantNumeric: "tabular-nums" }}>
        {sessionProgress(session)}{" "}
        <Text span fz="xs" c="var(--sd-muted)">
          cards
        </Text>
      </Text>
    </>
  );
}

/** The user's own sessions, sorted as selected. Replaces the entry of `open` with its live state. */
function useSessionList(
  { sort, order }: Pick<DashboardState, "sort" | "order">,
  filter: string,
  open: ScanSession | null,
  isShown: boolean,
) {
  const asked = { ...(filter !== "" && { filter }), sort, order };
  const list = useInfiniteQuery({
    queryKey: queryKeys.sessionList(asked),
    queryFn: ({ pageParam }) => listScanSessions(pageParam === null ? asked : { ...asked, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: sessionsOf,
    placeholderData: keepPreviousData,
    enabled: isShown,
  });
  const listed = list.data ?? [];
  const running = useRunningSessions(listed, open?.id ?? null, isShown);
  const current = new Map([...running, ...(open === null ? [] : [open])].map((session) => [session.id, session]));
  return {
    sessions: listed.map((session) => newerSession(session, current.get(session.id) ?? session)),
    isLoading: list.isPending,
    /** Loads older sessions on request. */
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : null,
    /** For an `ErrorPanel`. */
    problem: list.isError ? loadProblem(list) : null,
  };
}

/**
 * Current states of a list's running sessions, so that their progress doesn't refetch the pages of a long list. Polls,
 * because a session's store would load all its rows and hold a connection. Skips `openId`, which is already followed
 * live. Refetches the list when a run has ended or its session is gone.
 */
function useRunningSessions(
  listed: readonly ScanSession[],
  openId: string | null,
  isShown: boolean,
): readonly ScanSession[] {
  const queryClient = useQueryClient();
  const ids = listed.filter(({ id, status }) => status === "processing" && id !== openId).map(({ id }) => id);
  const { data: sessions, error } = useQuery({
    queryKey: ["running-sessions", ids],
    queryFn: () => Promise.all(ids.map(getScanSession)),
    enabled: isShown && ids.length > 0,
    staleTime: RUNNING_REFRESH_MS,
    refetchInterval: RUNNING_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    if (isGone(error) || sessions?.some(({ status }) => status !== "processing"))
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [sessions, error, queryClient]);
  return sessions ?? [];
}
