import type { Database } from "../../database/connection.ts";
import { lockSession, type SessionEvent } from "./session-changes.repo.ts";

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
  lockSession,
  noteAskedAgain,
  restartSession,
  spreadEvent,
  stopSessions,
  type LockedSession,
  type SessionEvent,
  type Tally,
} from "./session-changes.repo.ts";
export { findRowById, findSessionByKey, listRowsOf } from "./sessions.repo.ts";

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
