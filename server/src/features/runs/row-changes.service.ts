import { isDeepStrictEqual } from "node:util";
import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { SETTLED_STATUSES, type RowEdit } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";
import { costProblem, customerPriceOf, parseOffer, parsePrice, priceMessage } from "@slabdesk/contract/sheet/price.ts";
import type { Context } from "../../context.ts";
import { badField, conflict, noSuchThing } from "../../http/http-error.ts";
import { cancelLookups } from "../../jobs/jobs.ts";
import { leaving } from "../prices/price-requests.service.ts";
import * as changes from "../sessions/session-changes.service.ts";
import type { RowRecord, SessionRow } from "../sessions/sessions.present.ts";
import { showSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";
import { sizeOfNewEntries } from "./entries.repo.ts";
import { fillOrJoinDuplicates, insertRows } from "./filled-rows.repo.ts";
import { judgeRows, type UploadedRow } from "./row-columns.rules.ts";
import { listWarnedPrices, setCosts, setNotes, setOffers } from "./row-edits.repo.ts";
import { changeAndRun, demandRoom, sizeOfRows, type RowsChange, type RunContext } from "./row-transactions.service.ts";
import * as rows from "./rows.repo.ts";

const TOO_MANY_ROWS = `A session holds at most ${MAX_SHEET_ROWS} rows. Start a new one for the rest`;

/**
 * Adds rows to the end of a session and runs them; restarts a stopped session. Certs that the session already found or is
 * looking up are not looked up again. Skips lines that are already stored, so repeated requests add the rows once.
 *
 * @throws HttpError 409 if the session would exceed the maximum number of rows, if its owner would exceed the quota, or
 *   if a line number is already used by a different row
 */
export async function addRows(context: RunContext, session: Authorized<SessionRow>, typed: readonly UploadedRow[]) {
  const { db, config } = context;
  const addThem: RowsChange = async (locked) => {
    const byLine = new Map(typed.map((row) => [row.line, row]));
    const stored = await rows.listStoredLines(locked, [...byLine.keys()]);
    // Otherwise two scanners that number lines would lose rows.
    const mixed =
      typed.find((row) => !isDeepStrictEqual(byLine.get(row.line), row)) ??
      stored.find(({ line, cells }) => !isDeepStrictEqual(byLine.get(line)?.cells, cells));
    if (mixed) throw conflict(`Line ${mixed.line} already belongs to another row. Give each row its own line`);
    for (const { line } of stored) byLine.delete(line);
    if (byLine.size === 0) return null;
    if ((await changes.addToTotal(locked, byLine.size)) > MAX_SHEET_ROWS) throw conflict(TOO_MANY_ROWS);
    await demandRoom(context, locked, sizeOfRows([...byLine.values()]));
    const certNumbers: string[] = [];
    /** Judged as they are inserted, a few at a time. */
    function* judged() {
      for (const row of judgeRows(byLine.values(), { acceptCompanies: session.accept_companies })) {
        certNumbers.push(row.cert_number);
        yield row;
      }
    }
    const { settled } = await insertRows(locked, judged(), { isOneEvent: true });
    const filled = await fillOrJoinDuplicates(locked, certNumbers, config.KNOWN_CERT_DAYS);
    await demandRoom(context, locked, await sizeOfNewEntries(locked));
    return settled + filled;
  };
  await changeAndRun(context, session.id, addThem);
  return showSession(db, session.id);
}

/** Deletes a row, whatever its status. @throws HttpError 404 if the row no longer exists */
export async function removeRow(context: RunContext, row: Authorized<RowRecord>): Promise<ScanSession> {
  if ((await deleteRows(context, row.session_id, [row.id])) === 0) throw noSuchThing("result");
  return showSession(context.db, row.session_id);
}

/** Deletes these rows of a session, whatever their status. Skips rows of other sessions. */
export async function removeRows(context: RunContext, session: Authorized<SessionRow>, rowIds: readonly number[]) {
  await deleteRows(context, session.id, rowIds);
  return showSession(context.db, session.id);
}

async function deleteRows(context: RunContext, sessionId: string, rowIds: readonly number[]): Promise<number> {
  let count = 0;
  await context.sessions.changeCounted(sessionId, async (locked) => {
    const deleted = await rows.deleteRows(locked, rowIds);
    await cancelUnused(context, locked, deleted);
    await changes.addToTotal(locked, -deleted.length);
    const settled = deleted.filter((row) => SETTLED_STATUSES.some((status) => status === row.status));
    const states = deleted.flatMap((row) => PRICE_SOURCES.map((source) => row.prices[source]?.state ?? null));
    count = deleted.length;
    return { ...leaving(states), rows: -settled.length };
  });
  return count;
}

/** Cancels the jobs of deleted rows that have not started and have no other rows. */
async function cancelUnused(
  { jobs }: RunContext,
  locked: changes.LockedSession,
  deleted: Awaited<ReturnType<typeof rows.deleteRows>>,
) {
  const unclaimed = deleted.filter((row) => row.claimed_at === null);
  const jobIds = unclaimed.flatMap(({ job_id }) => job_id ?? []);
  const used = await rows.listUsedJobs(locked, jobIds);
  const unused = unclaimed.filter(({ job_id }) => job_id !== null && !used.has(job_id));
  await cancelLookups(jobs, locked.trx, unused);
}

/**
 * Changes the cost, the own offers, and the notes of rows of a session, whatever their status. The sheet's own cells
 * stay as uploaded. Returns the first 2,000 rows that changed; followers receive all of them. Skips rows of other
 * sessions.
 * @throws HttpError 400 if the cost or the offer is not an amount, 409 if the owner would exceed the quota
 */
export function editRows(
  context: Context,
  viewer: Viewer,
  session: Authorized<SessionRow>,
  { rowIds, cost, offer, notes }: RowEdit,
) {
  const costs = cost === undefined ? null : costColumns(String(cost ?? "").trim());
  const ownOffer = offer === undefined ? undefined : offerColumn(String(offer ?? ""));
  return changes.changeRowsInTurns(
    context.db,
    { personId: viewer.id, sessionId: session.id },
    rowIds.map(Number),
    async (locked, some) => [
      ...new Set([
        ...(costs ? await writeCosts(locked, some, costs) : []),
        ...(ownOffer === undefined ? [] : await setOffers(locked, some, ownOffer)),
        ...(notes === undefined ? [] : await writeNotes(context, locked, some, notes)),
      ]),
    ],
  );
}

async function writeNotes(context: Context, locked: changes.LockedSession, rowIds: readonly number[], notes: string) {
  const { ids, growth } = await setNotes(locked, rowIds, notes);
  await demandRoom(context, locked, growth);
  return ids;
}

type Costs = ReturnType<typeof costColumns>;

function costColumns(typed: string) {
  const problem = costProblem(typed);
  if (problem !== null) throw badField("cost", problem);
  const reading = parsePrice(typed);
  const price = reading.kind === "amount" ? reading.amount : null;
  return { price, price_text: typed, customer_price: customerPriceOf(price) };
}

function offerColumn(typed: string): number | null {
  const reading = parseOffer(typed);
  if (reading.problem === null) return reading.offer;
  throw badField("offer", reading.problem);
}

async function writeCosts(locked: changes.LockedSession, rowIds: readonly number[], costs: Costs): Promise<number[]> {
  const isMessage = (message: string | null) => message !== null;
  const before = (await listWarnedPrices(locked, rowIds)).map(priceMessage).filter(isMessage);
  return setCosts(locked, rowIds, costs, { before, now: [priceMessage(costs.price_text)].filter(isMessage) });
}
