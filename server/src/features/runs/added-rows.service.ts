import { isDeepStrictEqual } from "node:util";
import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import { cancelLookups, type LookupJob } from "../../jobs/cancel-lookups.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { type RowRecord, type SessionRow } from "../sessions/sessions.present.ts";
import { leaving } from "../prices/price-requests.service.ts";
import { addProcessed, addToTotal, changeSession, type LockedSession } from "../sessions/session-changes.service.ts";
import * as rows from "./rows.repo.ts";
import { fillOrJoinDuplicates, insertRows } from "./filled-rows.repo.ts";
import { judgeRows, type UploadedRow } from "./row-columns.rules.ts";
import { changeAndRun, demandRoom, sizeOfRows, type RunningParts } from "./row-transactions.service.ts";
import { showSession, type Authorized, type SessionsService } from "../sessions/sessions.service.ts";

export type AddedRowsService = ReturnType<typeof createAddedRowsService>;
export type AddedRowsParts = RunningParts & {
  jobs: Pick<Jobs, "enqueue" | "cancel">;
  sessions: Pick<SessionsService, "logCompleted">;
};

const TOO_MANY_ROWS = `A session holds at most ${MAX_SHEET_ROWS} rows. Start a new one for the rest`;

/** Adds rows to a session and removes them, for example while a user scans slabs. */
export function createAddedRowsService(parts: AddedRowsParts) {
  const { db, jobs, sessions } = parts;

  return {
    /**
     * Adds rows to the end of a session and runs them; restarts a stopped session. Certs that the session already found
     * or is looking up are not looked up again. Skips lines that are already stored, so repeated requests add the rows
     * once.
     *
     * @throws HttpError 409 if the session would exceed the maximum number of rows, if its owner would exceed the quota,
     * or if a line number is already used by a different row
     */
    async add(session: Authorized<SessionRow>, typed: readonly UploadedRow[]): Promise<ScanSession> {
      const addThem = async (locked: LockedSession): Promise<number | null> => {
        const byLine = new Map(typed.map((row) => [row.line, row]));
        const stored = await rows.listStoredLines(locked, [...byLine.keys()]);
        refuseMixedLines(typed, stored);
        for (const { line } of stored) byLine.delete(line);
        if (byLine.size === 0) return null;
        if ((await addToTotal(locked, byLine.size)) > MAX_SHEET_ROWS)
          throw new HttpError(409, "conflict", TOO_MANY_ROWS);
        await demandRoom(locked, sizeOfRows([...byLine.values()]), parts.sheetsMbPerPerson);
        const judged = [...judgeRows(byLine.values(), { acceptCompanies: session.accept_companies })];
        const withoutJobs = judged.map((row) => ({ ...row, job_id: null }));
        const { settled } = await insertRows(locked, session.user_id, withoutJobs, { isOneEvent: true });
        const certNumbers = judged.map((row) => row.cert_number);
        const filled = await fillOrJoinDuplicates(locked, certNumbers, parts.cachedCertDays);
        return settled + filled;
      };
      await changeAndRun(parts, session.id, addThem, { comesLast: true });
      return showSession(db, session.id);
    },

    /**
     * Deletes a row, whatever its status. The session completes if nothing is left to settle.
     *
     * @throws HttpError 404 if the row no longer exists
     */
    async remove(row: Authorized<RowRecord>): Promise<ScanSession> {
      if ((await removeRows(row.session_id, [row.id])) === 0) throw noSuchThing("result");
      return showSession(db, row.session_id);
    },

    /** Deletes these rows of a session, whatever their status. Skips rows of other sessions. */
    async removeAll(session: Authorized<SessionRow>, rowIds: readonly number[]): Promise<ScanSession> {
      await removeRows(session.id, rowIds);
      return showSession(db, session.id);
    },
  };

  /** Returns the number of rows deleted. */
  async function removeRows(sessionId: string, rowIds: readonly number[]): Promise<number> {
    const done = await changeSession(db, sessionId, async (locked) => {
      const deleted = await rows.deleteRows(locked, rowIds);
      await cancelUnused(locked, deleted);
      await addToTotal(locked, -deleted.length);
      const settled = deleted.filter((row) => SETTLED_STATUSES.some((status) => status === row.status));
      const states = deleted.flatMap((row) => PRICE_SOURCES.map((source) => row.prices[source]?.state ?? null));
      const counted = await addProcessed(locked, { ...leaving(states), rows: -settled.length });
      return { ...counted, count: deleted.length };
    });
    if (done?.completed) await sessions.logCompleted(done.userId, sessionId);
    return done?.count ?? 0;
  }

  /** Cancels the jobs of deleted rows that have not started and have no other rows. */
  async function cancelUnused(locked: LockedSession, deleted: Awaited<ReturnType<typeof rows.deleteRows>>) {
    const waiting = new Map<string, LookupJob>();
    for (const row of deleted) {
      if (row.job_id !== null && row.claimed_at === null) waiting.set(row.job_id, { ...row, job_id: row.job_id });
    }
    if (waiting.size === 0) return;
    for (const used of await rows.listUsedJobs(locked, [...waiting.keys()])) waiting.delete(used);
    await cancelLookups(jobs, locked.trx, [...waiting.values()]);
  }
}

/**
 * Rejects a line number used by two different rows. Otherwise two scanners that number lines independently would
 * silently lose rows.
 */
function refuseMixedLines(
  typed: readonly UploadedRow[],
  stored: readonly { line: number; cells: readonly string[] }[],
): void {
  const isMixed = (row: UploadedRow): boolean =>
    stored.some(({ line, cells }) => line === row.line && !isDeepStrictEqual(cells, row.cells)) ||
    typed.some((other) => other.line === row.line && !isDeepStrictEqual(other, row));
  const mixed = typed.find(isMixed);
  if (!mixed) return;
  const message = `Line ${mixed.line} already belongs to another row. Give each row its own line`;
  throw new HttpError(409, "conflict", message);
}
