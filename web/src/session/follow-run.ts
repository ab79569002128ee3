import type { ResultsPage } from "@slabdesk/contract/api/results.ts";
import type { ScanEvent, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { getResultsPage, getScanSession } from "../api/client.ts";
import { isSettled, openScanStream, type ScanFollower } from "../api/scan-stream.ts";
import type { RowsStore } from "../table/rows-store.ts";
import { createChangeBatch } from "./change-batch.ts";

/** The first page is small, so that something is there at once; the others are large, so that all is there soon. */
const FIRST_PAGE = 200;
const NEXT_PAGES = 2_000;

type FollowOptions = {
  session: ScanSession;
  rows: RowsStore;
  /** The row that is looked for: the rows around it come first. */
  firstRowId: string | null;
  onSession: (session: ScanSession) => void;
  /** Whether the server answers. */
  onReach: (isReached: boolean) => void;
  /** All rows that the session has are in the store. */
  onLoaded: () => void;
  /** The rows could not be loaded, or the session is gone; nothing is followed any more. */
  onFailure: (error: unknown) => void;
};

/** `setInView` says whether anybody sees it: a browser has few connections, and what is out of view holds none. */
export type RunFollower = ScanFollower & { setInView: (isInView: boolean) => void };

/**
 * Fills the store with a session's rows, page by page, and keeps it up to date, also when a run that was over goes on.
 * Changes are followed from the first page's state, before the other pages are there: the store lets a change win over
 * a page. Events do not tell of rows that were taken out elsewhere; a store with more rows than the session has does.
 * Out of view it stands still, and in view again it takes up what has changed meanwhile.
 */
export function followRun(options: FollowOptions): RunFollower {
  const { session, rows, firstRowId, onSession, onReach, onLoaded, onFailure } = options;
  let isStopped = false;
  let isLoaded = false;
  let isInView = true;
  /** How far the changes are known; null before the first page. */
  let position: number | null = null;
  let isOver = isSettled(session);
  // Asked anew after each wait: by then it may be another answer.
  const hasStopped = (): boolean => isStopped;
  let stream: ScanFollower | null = null;
  const batch = createChangeBatch<ScanEvent>((events) => {
    rows.applyChanges(events.flatMap((event) => event.results));
    const newest = events.at(-1);
    if (!newest) return;
    onSession(newest.session);
    if (isLoaded && rows.getSnapshot().length > newest.session.totalCards) dropRemoved().catch(fail);
  });
  const fail = (error: unknown): void => {
    if (isStopped) return;
    close();
    onFailure(error);
  };
  const close = (): void => {
    isStopped = true;
    stream?.close();
    batch.stop();
  };
  const listen = (): void => {
    if (stream !== null || position === null || !isInView || isStopped) return;
    stream = openScanStream({
      sessionId: session.id,
      since: position,
      isOver,
      onEvent: (event) => {
        position = event.session.eventSeq;
        isOver = isSettled(event.session);
        batch.push(event);
      },
      onReach,
      onGone: fail,
    });
  };

  const forEachPage = async (take: (page: ResultsPage) => void): Promise<void> => {
    let cursor: string | null = "0";
    while (cursor !== null) {
      const page: ResultsPage = await getResultsPage(session.id, {
        cursor,
        limit: position === null ? FIRST_PAGE : NEXT_PAGES,
      });
      if (hasStopped()) return;
      take(page);
      cursor = page.nextCursor;
    }
  };
  const dropRemoved = async (): Promise<void> => {
    const known = rows.getSnapshot();
    const there = new Set<string>();
    await forEachPage((page) => page.results.forEach((row) => there.add(row.id)));
    if (hasStopped()) return;
    for (const row of known) if (!there.has(row.id)) rows.remove(row.id);
  };
  const takePage = (page: ResultsPage): void => {
    rows.addPage(page.results);
    position ??= page.eventSeq;
    listen();
  };
  const load = async (): Promise<void> => {
    if (firstRowId !== null) {
      takePage(await getResultsPage(session.id, { cursor: cursorBefore(firstRowId), limit: FIRST_PAGE }));
      if (hasStopped()) return;
    }
    await forEachPage(takePage);
    if (hasStopped()) return;
    isLoaded = true;
    onLoaded();
    // The run may have ended, or gone on, between the caller's look at the session and the first page; no event says so again.
    const latest = await getScanSession(session.id);
    if (!hasStopped()) onSession(latest);
  };
  load().catch(fail);
  return {
    close,
    look: () => stream?.look(),
    setInView: (isInViewNow) => {
      if (isInView === isInViewNow) return;
      isInView = isInViewNow;
      if (isInView) {
        listen();
        stream?.look();
        return;
      }
      stream?.close();
      stream = null;
    },
  };
}

/** A cursor is the id of the row before its page; the rows of a sheet have ids in a row. */
function cursorBefore(rowId: string): string {
  return String(Math.max(0, Number(rowId) - FIRST_PAGE / 2));
}
