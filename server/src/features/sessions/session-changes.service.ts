import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { nextEventSeq, type SessionEvent } from "./session-changes.repo.ts";

/*
 * What other features' transactions may do with a session. They change its rows, and then its counters, while they hold
 * its lock and an event number of their own (`nextEventSeq`).
 */

export {
  addProcessed,
  addScan,
  addToTotal,
  countSettled,
  insertSession,
  nextEventSeq,
  restartSession,
  spreadEvent,
  stopSessions,
  type SessionEvent,
  type Tally,
} from "./session-changes.repo.ts";
export { findRowById, findSessionByKey, listRowsOf } from "./sessions.repo.ts";

/** Runs `work` under a session's lock, with a new event number. Returns null if the session does not exist. */
export function changeSession<T>(
  db: Database,
  sessionId: string,
  work: (trx: DatabaseTransaction, event: SessionEvent) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (trx) => {
    const event = await nextEventSeq(trx, sessionId);
    return event && work(trx, event);
  });
}
