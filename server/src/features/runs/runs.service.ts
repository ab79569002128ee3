import { OUTCOME_CODES, OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { SHEET_OUTCOMES } from "@slabdesk/contract/review/row-state.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import { inTurns, restAfter } from "../../concurrency/event-loop.ts";
import { conflict, HttpError } from "../../http/http-error.ts";
import { cancelLookups, type Jobs } from "../../jobs/jobs.ts";
import { slicesOf } from "../../sheets/slices.ts";
import { takePricesBack } from "../prices/price-requests.service.ts";
import * as changes from "../sessions/session-changes.service.ts";
import { presentRow, type RowRecord, type SessionRow } from "../sessions/sessions.present.ts";
import * as rows from "./rows.repo.ts";
import { fillOrJoinDuplicates, joinDuplicates } from "./filled-rows.repo.ts";
import { sendWaiting } from "./waits.repo.ts";
import { changeAndRun, type RowsChange, type RunContext, type RunOptions } from "./row-transactions.service.ts";
import { getSession, showSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";

export { endWaits } from "./waits.repo.ts";

const REQUESTED_AGAIN: RunOptions = { isRequestedAgain: true, leftRows: "stay" };
const RETRYABLE: readonly OutcomeCode[] = OUTCOME_CODES.filter((code) => OUTCOMES[code].retryable);

/* Stops sessions, and reruns rows: after a stop, after a failure, with a corrected number, or in another mode. */

/** Stops one session. The lookup in progress ends; the other rows stay `pending`. Cancels its open prices. */
export async function stopSession(context: RunContext, viewer: Viewer, session: Authorized<SessionRow>) {
  const { db, jobs } = context;
  const isStopped = await stopAndLog(context, viewer, session.id);
  if (!isStopped && session.prices_pending + session.prices_waiting > 0)
    await changes.changeSession(db, session.id, (locked) => takeOpenPricesBack(jobs, locked));
  return showSession(db, session.id);
}

/** Stops all running sessions of the viewer. Returns their number. */
export async function stopAll(context: RunContext, viewer: Viewer): Promise<number> {
  let stopped = 0;
  for (const id of await changes.listRunning(context.db, viewer.id))
    if (await stopAndLog(context, viewer, id)) stopped += 1;
  return stopped;
}

/** Returns false if the session is not running. */
async function stopAndLog({ db, jobs, activity }: RunContext, viewer: Viewer, sessionId: string): Promise<boolean> {
  const name = await db.transaction().execute(async (trx) => {
    const stopped = await changes.stopSession(trx, sessionId);
    if (!stopped) return null;
    const { locked } = stopped;
    const unstarted = await changes.listOpenJobs(trx, sessionId);
    await rows.releaseSession(locked);
    await takeOpenPricesBack(jobs, locked);
    // Unstarted jobs would delay other sessions. Last, because the workers of all sessions wait for fetched ones.
    await cancelLookups(jobs, trx, unstarted);
    return stopped.name;
  });
  if (name !== null) await activity.log(viewer.id, "scan_stopped", `Stopped processing ${name}`, { sessionId });
  return name !== null;
}

async function takeOpenPricesBack(jobs: Jobs, locked: changes.LockedSession): Promise<void> {
  const tally = await takePricesBack(jobs, locked);
  await changes.splitEvent(locked);
  await changes.addProcessed(locked, tally);
}

/** Resumes a stopped session, also while some of its rows are retried. Does nothing for other sessions. */
export async function resumeSession(context: RunContext, viewer: Viewer, session: Authorized<SessionRow>) {
  const goOn: RowsChange = async ({ status, is_partial }) => (status === "failed" || is_partial ? 0 : null);
  const isResumed = await changeAndRun(context, session.id, goOn, { pricesOf: "all", leftRows: "run" });
  return restarted(context, viewer, session, isResumed && `Resumed processing ${session.session_name}`);
}

/**
 * Looks up failed rows again: those with an outcome, those with these ids, or all with a retryable outcome. In a stopped
 * session, only they run; the rows that the stop left behind need a resume. Skips rows of other sessions and rows with an
 * invalid number, which `changeNumber` must correct first.
 */
export async function retryRows(
  context: RunContext,
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
  const isRunning = await changeAndRun(context, session.id, reopen, REQUESTED_AGAIN);
  return restarted(context, viewer, session, isRunning && `Looked up failed cards of ${session.session_name} again`);
}

async function restarted({ db, activity }: RunContext, viewer: Viewer, { id }: SessionRow, message: string | false) {
  if (message) await activity.log(viewer.id, "scan_started", message, { sessionId: id });
  return showSession(db, id);
}

/** Sends PSA rows that wait for the API through web scraping. @throws HttpError 409 if web scraping is off */
export async function scrapeWaiting(context: RunContext, session: Authorized<SessionRow>): Promise<ScanSession> {
  if (context.config.SCRAPING === "off") throw conflict("Web scraping is turned off");
  const send: RowsChange = async (locked) => ((await sendWaiting(locked, "scraping")) > 0 ? 0 : null);
  await changeAndRun(context, session.id, send, REQUESTED_AGAIN);
  return showSession(context.db, session.id);
}

/**
 * Corrects a failed row's cert number and looks it up, unless the session already found that card. In a stopped
 * session, the row waits for a resume. Repeating the call with the same number changes nothing.
 * @throws HttpError 400 if the number is still invalid, 409 if the row has not failed
 */
export async function changeNumber(
  context: RunContext,
  row: Authorized<RowRecord>,
  { certNumber, gradingCompany }: { certNumber: string; gradingCompany?: string | undefined },
): Promise<ResultRow> {
  const { db } = context;
  // If the caller gives the company, don't apply the suggested company.
  const acceptCompanies = gradingCompany === undefined && (await getSession(db, row.session_id)).accept_companies;
  const better = correctionOf(row, certNumber, gradingCompany ?? row.grading_company, acceptCompanies);
  const change: RowsChange = async (locked) =>
    joinRenumbered(context, locked, await rows.renumberRows(locked, [better]));
  const isChanged = await changeAndRun(context, row.session_id, change, { staysStopped: true });
  const now = await changes.findRowById(db, row.id);
  const isAsked = now?.cert_number === better.cert_number && now.grading_company === better.grading_company;
  if (!now || !(isChanged || isAsked)) throw conflict("Only a failed row's number can be changed");
  return presentRow(now);
}

/** @throws HttpError 400 if the number is still invalid */
function correctionOf(row: RowRecord, certNumber: string, gradingCompany: string, acceptCompanies: boolean) {
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

/**
 * Looks up failed rows at another company. Without a company: the rows whose number names another company than the sheet,
 * or names one where the sheet has none. With one: the given rows whose number can be that company's.
 */
export async function changeCompanies(
  context: RunContext,
  viewer: Viewer,
  session: Authorized<SessionRow>,
  { rowIds, company }: { rowIds?: readonly number[] | undefined; company?: Company | undefined },
): Promise<ScanSession> {
  const outcomes = company === undefined ? SHEET_OUTCOMES : null;
  const take: RowsChange = async (locked) => {
    const certNumbers: string[] = [];
    for await (const failed of rows.listFailedRows(locked, { rowIds: rowIds ?? null, outcomes })) {
      const fixes: rows.Renumbering[] = [];
      await inTurns(viewer.id, slicesOf(failed, JUDGED_AT_ONCE), (slice) => {
        for (const row of slice) fixes.push(...withCompany(row, company));
      });
      const startedAt = performance.now();
      certNumbers.push(...(await rows.renumberRows(locked, fixes)));
      await restAfter(viewer.id, performance.now() - startedAt);
    }
    return joinRenumbered(context, locked, certNumbers);
  };
  const isRunning = await changeAndRun(context, session.id, take, { staysStopped: true });
  const which = company === undefined ? "suggested companies" : `rows at ${company}`;
  return restarted(context, viewer, session, isRunning && `Looked up ${which} of ${session.session_name}`);
}

/** Fills or joins the changed rows with these numbers. Returns the change in settled rows; null if no row changed. */
async function joinRenumbered({ config }: RunContext, locked: changes.LockedSession, certNumbers: readonly string[]) {
  if (certNumbers.length === 0) return null;
  return (await fillOrJoinDuplicates(locked, certNumbers, config.KNOWN_CERT_DAYS)) - certNumbers.length;
}

/** Judging a long number can take a millisecond. */
const JUDGED_AT_ONCE = { mostItems: 100, mostCharacters: 20_000 };

/** The row at the company, or at the one that its number suggests; none if its number can't be that company's. */
function withCompany(
  { id, price_text: price, ...row }: rows.FailedRow,
  chosen: Company | undefined,
): rows.Renumbering[] {
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
