import type { ResultsPage } from "@slabdesk/contract/api/results.ts";
import type { ScanEvent, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { pagesOf } from "../api/http.ts";
import { getResultsPage } from "../api/rows.ts";
import { getScanSession } from "../api/sessions.ts";
import { isSettled, type ScanFollower, ScanStream, type ScanStreamOptions } from "../api/scan-stream.ts";
import type { RowsStore } from "./rows-store.ts";

/** The first page is small, so that it appears quickly. Later pages are large, so that loading finishes soon. */
const FIRST_PAGE = 200;
const NEXT_PAGES = 2_000;

export const browserPorts = {
  getSession: getScanSession,
  getPage: getResultsPage,
  openStream: (options: ScanStreamOptions): ScanFollower => new ScanStream(options),
};
export type RunPorts = typeof browserPorts;

type FollowOptions = {
  ports: RunPorts;
  session: ScanSession;
  rows: RowsStore;
  /** The row to load first, with the rows around it. */
  firstRowId: string | null;
  onSession: (session: ScanSession) => void;
  /** Called when all of the session's rows are in the store. */
  onLoaded: () => void;
  /** Called when loading failed or the session was deleted; following has stopped. */
  onFailure: (error: unknown) => void;
};

/** `setInView` says whether the session is visible. Hidden sessions hold no connection, because a browser has few. */
export type RunFollower = ScanFollower & { setInView: (isInView: boolean) => void };

/**
 * Loads a session's rows page by page and follows their changes from the first page on, even if a finished run is
 * resumed. Events don't report removed rows, so a store with more rows than the session triggers a check.
 */
export function followRun(options: FollowOptions): RunFollower {
  const { ports, session, rows, firstRowId, onSession, onLoaded, onFailure } = options;
  let isStopped = false;
  let isLoaded = false;
  let isInView = true;
  /** The position of the last known change; null before the first page. */
  let position: number | null = null;
  let isOver = isSettled(session);
  // A function, because the value can change during each `await`.
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
    stream = ports.openStream({
      sessionId: session.id,
      since: position,
      isOver,
      onEvent: (event) => {
        position = event.session.eventSeq;
        isOver = isSettled(event.session);
        batch.push(event);
      },
      onGone: fail,
    });
  };

  const forEachPage = async (take: (page: ResultsPage) => void): Promise<void> => {
    const pages = pagesOf((cursor) =>
      ports.getPage(session.id, { cursor, limit: position === null ? FIRST_PAGE : NEXT_PAGES }),
    );
    for await (const page of pages) {
      if (hasStopped()) return;
      take(page);
    }
  };
  const dropRemoved = async (): Promise<void> => {
    const known = rows.getSnapshot();
    const current = new Set<string>();
    await forEachPage((page) => page.results.forEach((row) => current.add(row.id)));
    if (hasStopped()) return;
    rows.remove(known.flatMap(({ id }) => (current.has(id) ? [] : [id])));
  };
  const takePage = (page: ResultsPage): void => {
    rows.addPage(page.results);
    position ??= page.eventSeq;
    listen();
  };
  const load = async (): Promise<void> => {
    if (firstRowId !== null) {
      // A cursor is the id of the row before its page. A sheet's rows have consecutive ids.
      const cursor = String(Math.max(0, Number(firstRowId) - FIRST_PAGE / 2));
      takePage(await ports.getPage(session.id, { cursor, limit: FIRST_PAGE }));
      if (hasStopped()) return;
    }
    await forEachPage(takePage);
    if (hasStopped()) return;
    isLoaded = true;
    onLoaded();
    // The run may have ended or resumed before the first page was loaded, and no event reports that.
    const latest = await ports.getSession(session.id);
    if (!hasStopped()) onSession(latest);
  };
  load().catch(fail);
  return {
    close,
    catchUp: () => stream?.catchUp(),
    setInView: (isInViewNow) => {
      if (isInView === isInViewNow) return;
      isInView = isInViewNow;
      if (isInView) {
        listen();
        stream?.catchUp();
        return;
      }
      stream?.close();
      stream = null;
    },
  };
}

/** Ten updates per second look live; more would only slow down scrolling. */
export const BATCH_INTERVAL_MS = 100;

/**
 * Delivers items in arrival order: the first at once, then batches every `BATCH_INTERVAL_MS`. Uses timers, because
 * animation frames stop in a hidden tab, whose title must still update. `stop` discards what has not been delivered.
 */
export function createChangeBatch<T>(take: (items: T[]) => void) {
  let gathered: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  const handOn = (): void => {
    const items = gathered;
    gathered = [];
    timer = undefined;
    takenAt = performance.now();
    take(items);
  };
  return {
    push: (item: T): void => {
      if (isStopped) return;
      gathered.push(item);
      timer ??= setTimeout(handOn, Math.max(0, takenAt + BATCH_INTERVAL_MS - performance.now()));
    },
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
