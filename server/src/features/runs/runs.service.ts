import { OUTCOME_CODES, OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { SHEET_OUTCOMES } from "@slabdesk/contract/review/row-state.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import { HttpError } from "../../http/http-error.ts";
import { cancelLookups } from "../../jobs/cancel-lookups.ts";
import { takePricesBack } from "../prices/price-requests.service.ts";
import {
  addProcessed,
  changeSession,
  findRowById,
  spreadEvent,
  stopSessions,
  type LockedSession,
} from "../sessions/session-changes.service.ts";
import { presentRow, type RowRecord, type SessionRow } from "../sessions/sessions.present.ts";
import * as rows from "./rows.repo.ts";
import { fillOrJoinDuplicates, joinDuplicates } from "./filled-rows.repo.ts";
import * as waits from "./waits.repo.ts";
import { changeAndRun, type RowsChange, type RunContext, type RunOptions } from "./row-transactions.service.ts";
import { getSession, showSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";

export type RunsService = ReturnType<typeof createRunsService>;

const ASKED_AGAIN: RunOptions = { isAskedAgain: true, leftRows: "stay" };
const RETRYABLE: readonly OutcomeCode[] = OUTCOME_CODES.filter((code) => OUTCOMES[code].retryable);

function createStops({ db, jobs, activity }: RunContext) {
  async function stopAndLog(viewer: Viewer, which: { userId: string } | { sessionId: string }): Promise<number> {
    const stopped = await db.transaction().execute(async (trx) => {
      const sessions = await stopSessions(trx, which);
      for (const { locked } of sessions) await takeBack(locked);
      return sessions;
    });
    for (const { locked, name } of stopped)
      await activity.log(viewer.id, "scan_stopped", `Stopped processing ${name}`, { sessionId: locked.sessionId });
    return stopped.length;
  }

  /** Cancels a stopped session's unstarted jobs, so that they don't delay other sessions. */
  async function takeBack(locked: LockedSession): Promise<void> {
    await cancelLookups(jobs, locked.trx, await rows.releaseSession(locked));
    await takeOpenPricesBack(locked);
  }

  async function takeOpenPricesBack(locked: LockedSession): Promise<void> {
    const tally = await takePricesBack(jobs, locked);
    await spreadEvent(locked);
    await addProcessed(locked, tally);
  }

  return {
    /** Stops one session. The look-up in progress ends; the other rows stay `pending`. Cancels its open prices. */
    async stop(viewer: Viewer, session: Authorized<SessionRow>): Promise<ScanSession> {
      const stopped = await stopAndLog(viewer, { sessionId: session.id });
      if (stopped === 0 && session.prices_pending + session.prices_waiting > 0)
        await changeSession(db, session.id, takeOpenPricesBack);
      return showSession(db, session.id);
    },

    stopAll: (viewer: Viewer): Promise<number> => stopAndLog(viewer, { userId: viewer.id }),
  };
}

/** Stops sessions, and reruns rows: after a stop, after a failure, with a corrected number, or in another mode. */
export function createRunsService(context: RunContext) {
  const { db, activity } = context;
  const { SCRAPING: scraping, KNOWN_CERT_DAYS: cachedCertDays } = context.config;

  async function restarted(viewer: Viewer, { id }: SessionRow, message: string | false): Promise<ScanSession> {
    if (message) await activity.log(viewer.id, "scan_started", message, { sessionId: id });
    return showSession(db, id);
  }

  return {
    ...createStops(context),

    /** Resumes a stopped session, also while some of its rows are retried. Does nothing for other sessions. */
    async resume(viewer: Viewer, session: Authorized<SessionRow>): Promise<ScanSession> {
      const goOn: RowsChange = async ({ status, is_partial }) => (status === "failed" || is_partial ? 0 : null);
      const isResumed = await changeAndRun(context, session.id, goOn, { pricesOf: "all", leftRows: "run" });
      return restarted(viewer, session, isResumed && `Resumed processing ${session.session_name}`);
    },

    /**
     * Looks up failed rows again: those with an outcome, those with these ids, or all with a retryable outcome. In a
     * stopped session, only they run; the rows that the stop left behind need a resume. Skips rows of other sessions and
     * rows with an invalid number, which `changeNumber` must correct first.
     */
    async retry(
      viewer: Viewer,
      session: Authorized<SessionRow>,
      { outcome, rowIds }: { outcome?: OutcomeCode | undefined; rowIds?: readonly number[] | undefined },
    ): Promise<ScanSession> {
      const chosen = rowIds ? { rowIds } : { outcomes: outcome ? [outcome] : RETRYABLE };
      const reopen: RowsChange = async (locked) => {
        const count = await rows.reopenRows(locked, chosen);
        if (count === 0) return null;
        await joinDuplicates(locked, null);
        return -count;
      };
      const isRunning = await changeAndRun(context, session.id, reopen, ASKED_AGAIN);
      return restarted(viewer, session, isRunning && `Looked up failed cards of ${session.session_name} again`);
    },

    /** Sends PSA rows that wait for the API through web scraping. @throws HttpError 409 if web scraping is off */
    async scrapeWaiting(session: Authorized<SessionRow>): Promise<ScanSession> {
      if (scraping === "off") throw new HttpError(409, "conflict", "Web scraping is turned off");
      const send: RowsChange = async (locked) => ((await waits.sendWaiting(locked, "scraping")) > 0 ? 0 : null);
      await changeAndRun(context, session.id, send, ASKED_AGAIN);
      return showSession(db, session.id);
    },

    /**
     * Corrects a failed row's cert number and looks it up, unless the session already found that card. In a stopped
     * session, the row waits for a resume. Repeating the call with the same number changes nothing.
     *
     * @throws HttpError 400 if the number is still invalid, 409 if the row has not failed
     */
    async changeNumber(
      row: Authorized<RowRecord>,
      { certNumber, gradingCompany }: { certNumber: string; gradingCompany?: string | undefined },
    ): Promise<ResultRow> {
      // If the caller gives the company, don't apply the suggested company.
      const acceptCompanies = gradingCompany === undefined && (await getSession(db, row.session_id)).accept_companies;
      const better = correctionOf(row, certNumber, gradingCompany ?? row.grading_company, acceptCompanies);
      const change: RowsChange = async (locked) => {
        if ((await rows.renumberRows(locked, [better])) === 0) return null;
        return (await fillOrJoinDuplicates(locked, [better.cert_number], cachedCertDays)) - 1;
      };
      const isChanged = await changeAndRun(context, row.session_id, change, { staysStopped: true });
      const now = await findRowById(db, row.id);
      const isAsked = now?.cert_number === better.cert_number && now.grading_company === better.grading_company;
      if (!now || !(isChanged || isAsked))
        throw new HttpError(409, "conflict", "Only a failed row's number can be changed");
      return presentRow(now);
    },

    /**
     * Looks up failed rows at another company. Without a company: the rows whose number names another company than the
     * sheet, or names one where the sheet has none. With one: the given rows whose number can be that company's.
     */
    async changeCompanies(viewer: Viewer, session: Authorized<SessionRow>, chosen: ChosenCompanies) {
      const take: RowsChange = (locked) => takeCompanies(locked, chosen, cachedCertDays);
      const isRunning = await changeAndRun(context, session.id, take, { staysStopped: true });
      const which = chosen.company === undefined ? "suggested companies" : `rows at ${chosen.company}`;
      return restarted(viewer, session, isRunning && `Looked up ${which} of ${session.session_name}`);
    },

    endWaits: (company: Company): Promise<void> => waits.endWaits(db, company),
  };
}

/** @throws HttpError 400 if the number is still invalid */
function correctionOf(
  row: RowRecord,
  certNumber: string,
  gradingCompany: string,
  acceptCompanies: boolean,
): rows.Renumbering {
  // A company that the user has chosen was not taken from the sheet's cell, nor from the number.
  const isChosen = gradingCompany !== row.grading_company;
  const sheetCard = isChosen ? undefined : (row.sheet_card ?? undefined);
  const typed = { certNumber, gradingCompany, price: row.price_text, sheetCard };
  const verdict = judgeRow(typed, { acceptCompanies });
  if (verdict.kind === "invalid")
    throw new HttpError(OUTCOMES[verdict.outcome].status, verdict.outcome, verdict.message);
  const warnings = [...verdict.warnings, `Number changed by hand (in the sheet: ${cutText(row.cert_number, 80)})`];
  return { row_id: row.id, grading_company: verdict.company, cert_number: verdict.certNumber, warnings };
}

export type ChosenCompanies = { rowIds?: readonly number[] | undefined; company?: Company | undefined };

/** Returns by how much the number of processed rows changes; null if no row changes. */
async function takeCompanies(locked: LockedSession, { rowIds, company }: ChosenCompanies, cachedCertDays: number) {
  const failed = await rows.listFailedRows(locked, {
    rowIds: rowIds ?? null,
    outcomes: company === undefined ? SHEET_OUTCOMES : null,
  });
  const changes = failed.flatMap((row) => withCompany(row, company));
  if (changes.length === 0) return null;
  const count = await rows.renumberRows(locked, changes);
  const certNumbers = changes.map((change) => change.cert_number);
  return (await fillOrJoinDuplicates(locked, certNumbers, cachedCertDays)) - count;
}

type FailedRow = Awaited<ReturnType<typeof rows.listFailedRows>>[number];

/** The row at the company, or at the one that its number suggests; none if its number can't be that company's. */
function withCompany({ id, price_text: price, ...row }: FailedRow, chosen: Company | undefined): rows.Renumbering[] {
  const gradingCompany = chosen ?? row.grading_company;
  const sheetCard = chosen === undefined ? (row.sheet_card ?? undefined) : undefined;
  const typed = { certNumber: row.cert_number, gradingCompany, price, sheetCard };
  const verdict = judgeRow(typed, { acceptCompanies: chosen === undefined });
  if (verdict.kind === "invalid") return [];
  const { company, certNumber, warnings } = verdict;
  if (chosen !== undefined && company === row.grading_company) return [];
  const inSheet = cutText(row.grading_company, 80) || "none";
  const changed = chosen === undefined ? [] : [`Company changed by hand (in the sheet: ${inSheet})`];
  return [{ row_id: id, grading_company: company, cert_number: certNumber, warnings: [...warnings, ...changed] }];
}
