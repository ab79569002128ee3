import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button, Stack } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { queryKeys } from "../../api/query-keys.ts";
import type { Spot } from "../../place/place.ts";
import { goTo, noteSpot, usePlace } from "../../place/place-store.ts";
import { announceDeletion } from "../../run/session-messages.ts";
import { type ShownSession, useOpenSession } from "../../run/open-session.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import { usePageKeys } from "../../ui/use-page-keys.ts";
import { SectionHeading } from "../../ui/SectionHeading.tsx";
import styles from "./DashboardTab.module.css";
import { type DashboardState, rememberedState, rememberState } from "./dashboard-storage.ts";
import { ownerMessage } from "./search/search-messages.ts";
import { SearchBox } from "./search/SearchBox.tsx";
import { SessionPicker } from "./SessionPicker.tsx";
import { SessionResults } from "./SessionResults.tsx";

/** 'Your Scan History': search at the top, sessions on the left, the selected session's results on the right. */
export function DashboardTab({ isShown, profile }: { isShown: boolean; profile: Profile }) {
  const [state, setState] = useState(rememberedState);
  const change = (part: Partial<DashboardState>): void => setState((current) => ({ ...current, ...part }));
  const spot = useDashboardSpot(state.session);
  const chosenId = spot.session ?? null;
  const [gone, setGone] = useState<ScanSession | null>(null);
  const isAdmin = profile.role === "admin";
  const opened = useChosenSession(chosenId, spot.row ?? spot.card ?? null, isShown, (session) => {
    if (ownerMessage(session, profile.email) === null) announceDeletion(session);
    setGone(session);
    noteSpot("dashboard", { session: undefined, row: undefined, card: undefined });
  });
  const open = opened.loading.kind === "gone" ? null : opened.session;
  useEffect(() => rememberState({ ...state, session: chosenId }), [state, chosenId]);

  const screen = useRef<HTMLDivElement>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  useFocusOnPages(screen, open?.id ?? null, chosenId === null);

  const show = (session: string | undefined, row?: string): void => {
    setGone(null);
    goTo("dashboard", { session, row, search: spot.search });
  };
  usePageKeys(screen, chosenId === null ? { "/": () => searchInput.current?.focus() } : {});
  const shownSession = opened.session ?? gone;

  return (
    <div ref={screen} className={styles.screen} data-open={chosenId !== null || gone !== null || undefined}>
      <div className={styles.top}>
        <SectionHeading
          level={1}
          title="Your Scan History"
          hint={isAdmin ? "Search shows results from all users." : undefined}
        />
        <Boundary name="The search">
          <SearchBox inputRef={searchInput} profile={profile} onOpen={(row) => show(row.sessionId, row.id)} />
        </Boundary>
      </div>
      <div className={styles.sessions}>
        <Boundary name="The list of sessions">
          <SessionPicker
            isShown={isShown}
            state={state}
            onChange={change}
            open={open}
            chosenId={chosenId}
            onChoose={({ id }) => show(id)}
          />
        </Boundary>
      </div>
      <Stack className={styles.chosen ?? ""} gap={14} miw={0} mih={0}>
        {(chosenId !== null || gone !== null) && (
          <Button
            className={styles.back ?? ""}
            size="compact-md"
            variant="subtle"
            leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
            onClick={() => show(undefined)}
          >
            All sessions
          </Button>
        )}
        <Boundary name="This session" resetKey={chosenId}>
          <SessionResults
            opened={chosenId === null ? null : opened}
            gone={chosenId === null ? gone : null}
            owner={shownSession && ownerMessage(shownSession, profile.email)}
            isAdmin={isAdmin}
          />
        </Boundary>
      </Stack>
    </div>
  );
}

/** The spot that the place names. A visit whose URL names no session or search continues with the remembered session. */
function useDashboardSpot(remembered: string | null): Spot {
  const spot = usePlace().spots.dashboard;
  const restore = useEffectEvent(() => {
    if (remembered !== null && spot.session === undefined && spot.search === undefined)
      noteSpot("dashboard", { session: remembered });
  });
  useLayoutEffect(() => restore(), []);
  return spot;
}

/** In narrow windows, list and session are separate pages. Focuses the new page if the old one took the focus away. */
function useFocusOnPages(screen: RefObject<HTMLElement | null>, openId: string | null, isClosed: boolean): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    const focus = (selector: string): void => screen.current?.querySelector<HTMLElement>(selector)?.focus();
    const hasLostFocus = document.activeElement === document.body;
    if (openId !== null && hasLostFocus) focus('[aria-label="Chosen session"] h2');
    if (isClosed && wasOpen.current && hasLostFocus) focus('[aria-label="Scan sessions"] [tabindex="0"]');
    wasOpen.current = !isClosed;
  }, [screen, openId, isClosed]);
}

/** Opens the chosen session with the row to show, and follows it while shown. `onGone`: it was deleted meanwhile. */
function useChosenSession(
  sessionId: string | null,
  firstRowId: string | null,
  isShown: boolean,
  onGone: (session: ScanSession) => void,
): ShownSession {
  const opened = useOpenSession(sessionId, { firstRowId, isInView: isShown });
  const { session, loading } = opened;
  const queryClient = useQueryClient();
  const refreshList = useEffectEvent(() => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
    if (session !== null) onGone(session);
  });
  const isGone = loading.kind === "gone";
  useEffect(() => {
    if (isGone) refreshList();
  }, [isGone]);
  // The header's totals and the list change when a run starts or ends.
  const seen = useRef(session);
  useEffect(() => {
    const before = seen.current;
    seen.current = session;
    if (!session || before?.id !== session.id || before.status === session.status) return;
    void queryClient.invalidateQueries({ queryKey: queryKeys.profile() });
    void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [session, queryClient]);
  return opened;
}
