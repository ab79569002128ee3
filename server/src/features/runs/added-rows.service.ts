import { isDeepStrictEqual } from "node:util";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import { lookupQueueOf, RETRY_QUEUE, type Jobs } from "../../jobs/jobs.ts";
import type { ScanChangesService } from "../sessions/changes.service.ts";
import { presentSession, type RowRecord, type SessionRecord } from "../sessions/sessions.present.ts";
import { leaving } from "../prices/row-prices.repo.ts";
import * as rows from "./rows.repo.ts";
import * as duplicates from "./duplicates.repo.ts";
import * as repo from "../sessions/sessions.repo.ts";
import { judgeRows, type UploadedRow } from "./row-columns.ts";
import { changeAndRun, type RunningParts } from "./running.ts";
import { getSession, type Authorized } from "../sessions/sessions.service.ts";

export type ScanRowsService = ReturnType<typeof createScanRowsService>;
export type ScanRowsParts = RunningParts & {
  jobs: Pick<Jobs, "enqueue" | "cancel">;
  changes: Pick<ScanChangesService, "logCompleted">;
};

/** Adds single rows to a session and removes them, for example while a user scans slabs. */
export function createScanRowsService(parts: ScanRowsParts) {
  const { db, jobs, changes } = parts;
  const present = async (sessionId: string): Promise<ScanSession> => presentSession(await getSession(db, sessionId));

  /** Cancels a job if its last row was deleted and it has not started. A started job ends without an open row. */
  async function dropJob(trx: DatabaseTransaction, row: rows.DeletedRow): Promise<void> {
    if (row.job_id === null || row.claimed_at !== null || row.is_shared) return;
    const queue = row.status === "queued" ? RETRY_QUEUE : lookupQueueOf(row.grading_company);
    await jobs.cancel(trx, queue, [row.job_id]);
  }

  return {
    /**
     * Adds rows to the end of a session and runs them; restarts a stopped session. Certs that the session already found
     * or is looking up are not looked up again. Skips lines that are already stored, so repeated requests add the rows
     * once.
     *
     * @throws HttpError 409 if the session would exceed the maximum number of rows, or if a line number is already used
     * by a different row
     */
    async add(session: Authorized<SessionRecord>, typed: readonly UploadedRow[]): Promise<ScanSession> {
      const addThem = async (trx: DatabaseTransaction, eventSeq: number): Promise<number | null> => {
        const byLine = new Map(typed.map((row) => [row.line, row]));
        const stored = await rows.listStoredLines(trx, session.id, [...byLine.keys()]);
        refuseMixedLines(typed, stored);
        for (const { line } of stored) byLine.delete(line);
        if (byLine.size === 0) return null;
        if ((await repo.addToTotal(trx, session.id, byLine.size)) > MAX_SHEET_ROWS) throw tooManyRows();
        const judged = judgeRows([...byLine.values()], { acceptCompanies: session.accept_companies });
        const withoutJobs = judged.map((row) => ({ ...row, job_id: null }));
        await rows.insertRows(trx, { sessionId: session.id, userId: session.user_id, eventSeq }, withoutJobs);
        const certNumbers = judged.map((row) => row.cert_number);
        const filled = await duplicates.fillFromDuplicates(
          trx,
          session.id,
          eventSeq,
          certNumbers,
          parts.cachedCertDays,
        );
        await duplicates.joinDuplicates(trx, session.id, eventSeq, certNumbers);
        return filled + judged.filter((row) => row.status === "error").length;
      };
      await changeAndRun(parts, session.id, addThem, { comesLast: true });
      return present(session.id);
    },

    /**
     * Deletes a row, whatever its status. The session completes if nothing is left to settle.
     *
     * @throws HttpError 404 if the row no longer exists
     */
    async remove(row: Authorized<RowRecord>): Promise<ScanSession> {
      const sessionId = row.session_id;
      const done = await db.transaction().execute(async (trx) => {
        const event = await repo.nextEventSeq(trx, sessionId);
        const deleted = event && (await rows.deleteRow(trx, row.id));
        if (!deleted) throw noSuchThing("result");
        await dropJob(trx, deleted);
        await repo.addToTotal(trx, sessionId, -1);
        const wasSettled = SETTLED_STATUSES.some((status) => status === deleted.status);
        const tally = leaving([deleted.cardladder_state, deleted.cardsiq_state]);
        return repo.addProcessed(trx, sessionId, { ...tally, rows: wasSettled ? -1 : 0 });
      });
      if (done.completed) await changes.logCompleted(done.userId, sessionId);
      return present(sessionId);
    },
  };
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

function tooManyRows(): HttpError {
  return new HttpError(409, "conflict", `A session holds at most ${MAX_SHEET_ROWS} rows. Start a new one for the rest`);
}
