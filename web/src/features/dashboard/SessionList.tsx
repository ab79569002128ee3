import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Text } from "@mantine/core";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { sessionProgress, STATUS_TONES } from "../../run/session-messages.ts";
import { targetOfKey } from "../../ui/keys/grid-keys.ts";
import { StatusDot } from "../../ui/StatusDot.tsx";
import styles from "./SessionList.module.css";

const ENTRY_HEIGHT = 76;
/** Loads older sessions when the view is this close to the last loaded one. */
const LOAD_AHEAD = 10;

type SessionListProps = {
  sessions: readonly ScanSession[];
  chosenId: string | null;
  onChoose: (session: ScanSession) => void;
  /** Loads older sessions; null if there are none or they are loading. */
  loadMore: (() => void) | null;
};

/**
 * The session list: one Tab stop, arrow keys to move, Enter to open. Renders only the visible entries and the active
 * one.
 */
export function SessionList({ sessions, chosenId, onChoose, loadMore }: SessionListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  // The entry that the keys moved to. Selecting a session anywhere makes that session the active entry.
  const [moved, setMoved] = useState<{ toId: string; chosenId: string | null } | null>(null);
  const activeId = moved?.chosenId === chosenId ? moved.toId : chosenId;
  const hasMoved = useRef(false);
  const activeIndex = Math.max(
    0,
    sessions.findIndex(({ id }) => id === activeId),
  );
  const virtualizer = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ENTRY_HEIGHT,
    overscan: 6,
    useFlushSync: false,
    rangeExtractor: useCallback(
      (range: Range) => [...new Set([...defaultRangeExtractor(range), activeIndex])].sort((a, b) => a - b),
      [activeIndex],
    ),
  });
  useLayoutEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [activeIndex]);
  const showChosen = useEffectEvent(() => {
    const index = sessions.findIndex(({ id }) => id === chosenId);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  });
  const isChosenListed = sessions.some(({ id }) => id === chosenId);
  useEffect(() => {
    if (isChosenListed) showChosen();
  }, [chosenId, isChosenListed]);
  const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= sessions.length - LOAD_AHEAD;
  useEffect(() => {
    if (isNearEnd) loadMore?.();
  }, [isNearEnd, loadMore]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
    <div ref={scroller} className={styles.scroller}>
      <ul aria-label="Scan sessions" className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const session = sessions[index];
          if (!session) return null;
          return (
            <li
              key={session.id}
              aria-setsize={loadMore === null ? sessions.length : -1}
              aria-posinset={index + 1}
              className={styles.item}
              style={{ transform: `translateY(${start}px)`, height: ENTRY_HEIGHT }}
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
      <span className={styles.status}>
        <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
          {session.status}
        </StatusDot>
      </span>
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
