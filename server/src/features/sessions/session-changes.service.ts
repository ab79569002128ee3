import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import { lockSession, type LockedSession, type SessionEvent } from "./session-changes.repo.ts";
import { presentRow } from "./sessions.present.ts";
import { listRowsOf } from "./sessions.repo.ts";

/*
 * What other features' transactions may do with a session. They change its rows, and then its counters, while they hold
 * its lock and an event number of their own (`LockedSession`).
 */

export {
  addEvents,
  addProcessed,
  addScan,
  addSheetBytes,
  addToTotal,
  insertSession,
  listPriceJobs,
  lockSession,
  noteAskedAgain,
  restartSession,
  spreadEvent,
  stopSessions,
  type LeftRows,
  type LockedSession,
  type SessionEvent,
  type Tally,
} from "./session-changes.repo.ts";
export { findRowById, findSessionByKey } from "./sessions.repo.ts";

/** Runs `work` under a session's lock, with a new event number. Returns null if the session does not exist. */
export function changeSession<T>(
  db: Database,
  sessionId: string,
  work: (locked: SessionEvent) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockSession(trx, sessionId);
    return locked && work(locked);
  });
}

/** Maximum rows per event and transaction, so that a running session can settle rows in between. */
const ROWS_A_TURN = 2_000;

/**
 * Changes chosen rows of a session, 2,000 in each transaction. `change` returns the ids of those that changed. Returns
 * the first 2,000 rows that changed; followers receive all of them.
 */
export async function changeRowsInTurns(
  db: Database,
  sessionId: string,
  rowIds: readonly number[],
  change: (locked: LockedSession, someIds: readonly number[]) => Promise<number[]>,
): Promise<ResultRow[]> {
  const inOrder = [...new Set(rowIds)].toSorted((a, b) => a - b);
  const changed: number[] = [];
  for (let at = 0; at < inOrder.length; at += ROWS_A_TURN) {
    const some = inOrder.slice(at, at + ROWS_A_TURN);
    changed.push(...((await changeSession(db, sessionId, (locked) => change(locked, some))) ?? []));
  }
  const listed = changed.toSorted((a, b) => a - b).slice(0, ROWS_A_TURN);
  return listed.length === 0 ? [] : (await listRowsOf(db, sessionId, listed)).map(presentRow);
}
