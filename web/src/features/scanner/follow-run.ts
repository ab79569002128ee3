import type { ResultsPage } from "@slabdesk/contract/api/results.ts";
import type { ScanEvent, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { getResultsPage, getScanSession } from "../../api/client.ts";
import { isSettled, openScanStream, type ScanFollower } from "../../api/scan-stream.ts";
import type { RowsStore } from "../../table/rows-store.ts";
import { createChangeBatch } from "./change-batch.ts";

/** The first page is small, so that something is there at once; the others are large, so that all is there soon. */
const FIRST_PAGE = 200;
const NEXT_PAGES = 2_000;

type FollowOptions = {
  session: ScanSession;
  rows: RowsStore;
  onSession: (session: ScanSession) => void;
  /** Whether the server answers. */
  onReach: (isReached: boolean) => void;
  /** All rows that the session has are in the store. */
  onLoaded: () => void;
  /** The rows could not be loaded; nothing is followed any more. */
  onFailure: (error: unknown) => void;
};

/**
 * Fills the store with a session's rows, page by page, and keeps it up to date, also when a run that was over goes on.
 * Changes are followed from the first page's state, before the other pages are there: the store lets a change win over
 * a page. Events do not tell of rows that were taken out elsewhere; a store with more rows than the session has does.
 */
export function followRun({ session, rows, onSession, onReach, onLoaded, onFailure }: FollowOptions): ScanFollower {
  let isStopped = false;
  let isLoaded = false;
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

  const forEachPage = async (take: (page: ResultsPage) => void): Promise<void> => {
    let cursor: string | null = "0";
    while (cursor !== null) {
      const page: ResultsPage = await getResultsPage(session.id, { cursor, limit: stream ? NEXT_PAGES : FIRST_PAGE });
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
  const load = async (): Promise<void> => {
    await forEachPage((page) => {
      rows.addPage(page.results);
      stream ??= openScanStream({
        sessionId: session.id,
        since: page.eventSeq,
        isOver: isSettled(session),
        onEvent: batch.push,
        onReach,
      });
    });
    if (hasStopped()) return;
    isLoaded = true;
    onLoaded();
    // The run may have ended, or gone on, between the caller's look at the session and the first page; no event says so again.
    const latest = await getScanSession(session.id);
    if (!hasStopped()) onSession(latest);
  };
  load().catch(fail);
  return { close, look: () => stream?.look() };
}
