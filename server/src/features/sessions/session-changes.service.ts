import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import { restAfter } from "../../concurrency/event-loop.ts";
import {
  LONGEST_LOCK_WAIT_MS,
  transactUnlessBusy,
  type Database,
  type DatabaseTransaction,
} from "../../database/connection.ts";
import { lockSession, splitEvent, type LockedSession, type SessionEvent } from "./session-changes.repo.ts";
import { presentRow } from "./sessions.present.ts";
import { inOrder, listRows } from "./sessions.repo.ts";

/* What other features' transactions may do with a session while they hold its lock (`LockedSession`). */

export {
  addEvents,
  addProcessed,
  addScan,
  addSheetBytes,
  addToTotal,
  insertSession,
  isPartial,
  listOpenJobs,
  listPriceJobs,
  listRunning,
  lockSession,
  noteRequestedAgain,
  placeOfNext,
  restartSession,
  splitEvent,
  stopSession,
  type LeftRows,
  type LockedSession,
  type SessionEvent,
  type Tally,
} from "./session-changes.repo.ts";
export { createPlaceNotes, placeOfLane } from "./places.repo.ts";
export { findRowById, findSessionByKey } from "./sessions.repo.ts";

/**
 * How long to wait for a session's lock; by default, without a limit. Work that shares a worker with other people's cards
 * must not wait long: a change of 100,000 rows can hold the lock for half a minute.
 */
export type Waiting = { longestMs?: number };
export const SOON: Waiting = { longestMs: LONGEST_LOCK_WAIT_MS };

/**
 * Runs `work` under a session's lock, with a new event number. Returns null if the session does not exist.
 * @throws BusyError if others hold the lock for longer than `longestMs`
 */
export function changeSession<T>(
  db: Database,
  sessionId: string,
  work: (locked: SessionEvent) => Promise<T>,
  { longestMs }: Waiting = {},
): Promise<T | null> {
  const change = async (trx: DatabaseTransaction): Promise<T | null> => {
    const locked = await lockSession(trx, sessionId);
    return locked && work(locked);
  };
  return longestMs === undefined ? db.transaction().execute(change) : transactUnlessBusy(db, change, longestMs);
}

/** Maximum rows per event and transaction, so that a running session can settle rows in between. */
export const ROWS_A_TURN = 2_000;

/**
 * Changes chosen rows of a session for a person, 2,000 in each transaction. `change` returns the ids of those that
 * changed. Returns the first 2,000 rows that changed, or fewer if they have much text; followers receive all of them.
 */
export async function changeRowsInTurns(
  db: Database,
  { personId, sessionId }: { personId: string; sessionId: string },
  rowIds: readonly number[],
  change: (locked: LockedSession, someIds: readonly number[]) => Promise<number[]>,
): Promise<ResultRow[]> {
  const changed: number[] = [];
  for (const some of chunksOf(inOrder(rowIds), ROWS_A_TURN)) {
    let lockedAt = performance.now();
    const done = await changeSession(db, sessionId, async (locked) => {
      lockedAt = performance.now();
      const ids = await change(locked, some);
      await splitEvent(locked, ids);
      return ids;
    });
    changed.push(...(done ?? []));
    await restAfter(personId, performance.now() - lockedAt);
  }
  const first = inOrder(changed).slice(0, ROWS_A_TURN);
  if (first.length === 0) return [];
  return (await listRows(db, sessionId, { cursor: 0, limit: ROWS_A_TURN, rowIds: first })).map(presentRow);
}
