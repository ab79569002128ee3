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
 * a page.
 */
export function followRun({ session, rows, onSession, onReach, onLoaded, onFailure }: FollowOptions): ScanFollower {
  let isStopped = false;
  let stream: ScanFollower | null = null;
  const batch = createChangeBatch<ScanEvent>((events) => {
    rows.applyChanges(events.flatMap((event) => event.results));
    const newest = events.at(-1);
    if (newest) onSession(newest.session);
  });
  const close = (): void => {
    isStopped = true;
    stream?.close();
    batch.stop();
  };

  const load = async (): Promise<void> => {
    let cursor: string | null = "0";
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof getResultsPage>> = await getResultsPage(session.id, {
        cursor,
        limit: stream ? NEXT_PAGES : FIRST_PAGE,
      });
      if (isStopped) return;
      rows.addPage(page.results);
      stream ??= openScanStream({
        sessionId: session.id,
        since: page.eventSeq,
        isOver: isSettled(session),
        onEvent: batch.push,
        onReach,
      });
      cursor = page.nextCursor;
    }
    onLoaded();
    // The run may have ended, or gone on, between the caller's look at the session and the first page; no event says so again.
    const latest = await getScanSession(session.id);
    if (!isStopped) onSession(latest);
  };
  load().catch((error: unknown) => {
    if (isStopped) return;
    close();
    onFailure(error);
  });
  return { close, look: () => stream?.look() };
}
