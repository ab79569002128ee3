import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { FoundRow } from "@slabdesk/contract/api/search.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Button } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import { IconArrowLeft } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { announceDeletion } from "../../run/deleted-session.ts";
import { usePageKeys } from "../../ui/use-page-keys.ts";
import type { JumpRequest } from "../../table/grid/use-row-jump.ts";
import { SectionHeading } from "../../ui/SectionHeading.tsx";
import styles from "./DashboardTab.module.css";
import { type DashboardState, rememberedState, rememberState } from "./dashboard-storage.ts";
import { ownerMessage } from "./search/search-messages.ts";
import { SearchBox } from "./search/SearchBox.tsx";
import { SessionPicker } from "./SessionPicker.tsx";
import { SessionResults } from "./SessionResults.tsx";
import { useChosenSession } from "./use-chosen-session.ts";
import { useSessionList } from "./use-session-list.ts";

/** Debounce for the list filter. */
const FILTER_PAUSE_MS = 200;

type DashboardTabProps = {
  isShown: boolean;
  profile: Profile;
  status: Status | null;
};

/** 'Your Scan History': search at the top, sessions on the left, the selected session's results on the right. */
export function DashboardTab({ isShown, profile, status }: DashboardTabProps) {
  const [state, setState] = useState(rememberedState);
  const [jump, setJump] = useState<JumpRequest | null>(null);
  const change = (part: Partial<DashboardState>): void => setState((current) => ({ ...current, ...part }));
  const isAdmin = profile.role === "admin";
  const isOwn = state.chosen?.owner === null;
  const opened = useChosenSession(state.chosen?.id ?? null, jump?.rowId ?? null, isShown, (gone) => {
    if (isOwn) announceDeletion(gone);
  });
  const isGone = opened.loading.kind === "gone";
  const open = isGone ? null : opened.session;
  useEffect(() => rememberState(isGone ? { ...state, chosen: null } : state), [state, isGone]);
  const [filter] = useDebouncedValue(state.filter, FILTER_PAUSE_MS);
  const listing = useSessionList(state, filter, open, isShown);

  const screen = useRef<HTMLDivElement>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useFocusOnPages(open?.id ?? null, state.chosen === null, heading, list);

  const choose = ({ id }: ScanSession): void => {
    setJump(null);
    change({ chosen: { id, owner: null } });
  };
  const openFound = (row: FoundRow): void => {
    setJump({ rowId: row.id });
    change({ chosen: { id: row.sessionId, owner: ownerMessage(row, profile.email) } });
  };
  const goBack = (): void => {
    setJump(null);
    change({ chosen: null });
  };
  const toSearch = (): void => {
    // In a narrow window the search box is on the list page.
    if (searchInput.current?.checkVisibility() === false) flushSync(goBack);
    searchInput.current?.focus();
  };
  usePageKeys(screen, state.chosen === null ? { "/": toSearch } : {});
  useHotkeys(isShown ? [["mod+K", toSearch]] : [], []);

  return (
    <div ref={screen} className={styles.screen} data-open={state.chosen !== null || undefined}>
      <div className={styles.top}>
        <SectionHeading
          level={1}
          title="Your Scan History"
          hint={isAdmin ? "Search shows results from all users." : undefined}
        />
        <SearchBox inputRef={searchInput} ownEmail={profile.email} isAdmin={isAdmin} onOpen={openFound} />
      </div>
      <div className={styles.sessions}>
        <SessionPicker state={state} onChange={change} listing={listing} onChoose={choose} listRef={list} />
      </div>
      <div className={styles.chosen}>
        {state.chosen !== null && (
          <Button
            className={styles.back ?? ""}
            size="compact-md"
            variant="subtle"
            leftSection={<IconArrowLeft size={16} aria-hidden="true" />}
            onClick={goBack}
          >
            All sessions
          </Button>
        )}
        <SessionResults
          opened={state.chosen && opened}
          owner={state.chosen?.owner ?? null}
          status={status}
          jump={jump}
          headingRef={heading}
        />
      </div>
    </div>
  );
}

/**
 * In narrow windows the list and the session are separate pages. Moves the focus to the new page, unless the focused
 * element is still there.
 */
function useFocusOnPages(
  openId: string | null,
  isClosed: boolean,
  heading: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    const hasLostFocus = document.activeElement === document.body;
    if (openId !== null && hasLostFocus) heading.current?.focus();
    if (isClosed && wasOpen.current && hasLostFocus)
      list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    wasOpen.current = !isClosed;
  }, [openId, isClosed, heading, list]);
}
