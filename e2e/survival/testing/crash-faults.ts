import { isDeepStrictEqual } from "node:util";
import { vi } from "vitest";
import { z } from "zod";
import type { Call, CallLog } from "@slabdesk/simulator/endpoints/call-log.ts";
import { isForImageFile } from "../../../server/src/testing/scan-test.ts";
import type { Installation, Victim } from "./installation.ts";
import type { RowSeen, SessionSeen, SurvivalClient } from "./survival-client.ts";
import type { Expected } from "./survival-sheet.ts";

/** From the first kill until everything serves again. */
export type Outage = { from: number; to: number; victims: Victim[] };
/** The rows at one moment. */
export type Sighting = { at: number; rows: RowSeen[] };

export type FinishedRun = {
  installation: Installation;
  client: SurvivalClient;
  id: string;
  expected: Expected[];
  sightings: Sighting[];
  outages: Outage[];
  calls: CallLog;
};

const SETTLED: ReadonlySet<string> = new Set(["completed", "error", "completed_retry", "failed"]);
/** Rows with these statuses are failures, which `causes` counts by outcome. */
const FAILED: ReadonlySet<string> = new Set(["error", "failed"]);
/** A card's price comes after the card and may be requested again after a crash; its quote is stored once. */
const PRICE_ENDPOINTS: ReadonlySet<string> = new Set(["cardladder", "cardsiq"]);
const JOBS_END_WITHIN_MS = 120_000;

/** Checks a finished run row by row, by HTTP and in the database, and returns the errors. */
export async function findFaults(run: FinishedRun): Promise<string[]> {
  const origin = run.installation.origin();
  const rows = await run.client.rows(origin, run.id);
  const session = await run.client.session(origin, run.id);
  return [
    ...faultsOfRows(rows, run.expected),
    ...faultsOfCounters(session, rows),
    ...faultsOfSightings(rows, run),
    ...faultsOfCalls(run),
    ...faultsOfPrices(rows),
    ...(await faultsOfDatabase(run, rows)),
    ...(await faultsOfQuotes(run)),
    ...(await faultsOfJobs(run)),
  ];
}

function faultsOfRows(rows: RowSeen[], expected: Expected[]): string[] {
  const lines = rows.map((row) => row.line);
  if (
    !isDeepStrictEqual(
      lines,
      expected.map((row) => row.line),
    )
  )
    return [`The sheet's lines are not there once and in order: ${lines.join(", ")}`];
  return rows.flatMap((row, index) => {
    const wanted = expected[index];
    const end = `${row.status}/${row.outcome}`;
    if (!wanted?.ends.includes(end))
      return [`${nameOf(row)} ended as ${end}, not as ${wanted?.ends.join(" or ")}: ${say(row)}`];
    if (row.certNumber !== wanted.certNumber) return [`${nameOf(row)} is not about ${wanted.certNumber}`];
    return row.processedAt === null ? [`${nameOf(row)} is settled without a time`] : [];
  });
}

function faultsOfCounters(session: SessionSeen, rows: RowSeen[]): string[] {
  const wanted = {
    status: "completed",
    totalCards: rows.length,
    processedCards: rows.length,
    counts: tally(rows, (row) => row.status),
    causes: tally(
      rows.filter((row) => FAILED.has(row.status)),
      (row) => String(row.outcome),
    ),
  };
  return Object.entries(wanted).flatMap(([name, value]) => {
    const said: unknown = Object.entries(session).find(([key]) => key === name)?.[1];
    return isDeepStrictEqual(said, value) ? [] : [`The session says ${name} ${say(said)}, its rows ${say(value)}`];
  });
}

/** A settled row must be unchanged in every field, without further upstream calls. */
function faultsOfSightings(rows: RowSeen[], { sightings, calls }: FinishedRun): string[] {
  const last = new Map(rows.map((row) => [row.id, row]));
  const settledSince = new Map<string, { at: number; row: RowSeen }>();
  const changed = sightings.flatMap(({ at, rows: then }) =>
    then.flatMap((row) => {
      if (!SETTLED.has(row.status)) return [];
      if (!settledSince.has(row.id)) settledSince.set(row.id, { at, row });
      const now = last.get(row.id);
      return isDeepStrictEqual(cardOf(now), cardOf(row))
        ? []
        : [`${nameOf(row)} was settled as ${say(row)} and is now ${say(now)}`];
    }),
  );
  const asked = [...settledSince.values()].flatMap(({ at, row }) =>
    row.certNumber === ""
      ? []
      : calls
          .list({ cert: row.certNumber })
          .filter((call) => call.at > at && !PRICE_ENDPOINTS.has(call.endpoint) && !isForImageFile(call))
          .map((call) => `${nameOf(row)} was settled and asked again: ${call.path}`),
  );
  return [...changed, ...asked];
}

/** A row without its prices. */
function cardOf(row: RowSeen | undefined): object | undefined {
  return row && { ...row, pricing: null, cardsiq: null, prices: null };
}

const pricesSchema = z.object({
  cardladder: z.object({ state: z.string().nullable() }),
  cardsiq: z.object({ state: z.string().nullable() }),
});

/** Every found card has its prices, or a source has none; no other row requested prices. */
function faultsOfPrices(rows: RowSeen[]): string[] {
  return rows.flatMap((row) =>
    Object.entries(pricesSchema.parse(row.prices)).flatMap(([source, { state }]) => {
      const isRight = row.outcome === "found" ? state === "priced" || state === "none" : state === null;
      return isRight ? [] : [`${nameOf(row)}, ${row.outcome}, has the price ${state} of ${source}`];
    }),
  );
}

/** No price is stored twice, and none is counted as still to come. */
async function faultsOfQuotes({ installation, id }: FinishedRun): Promise<string[]> {
  const twice = await installation.query(
    `SELECT source, grading_company, cert_number FROM price_quotes
     GROUP BY source, grading_company, cert_number HAVING count(*) > 1`,
    [],
  );
  const open = await installation.query(
    "SELECT prices_pending, prices_waiting FROM scan_sessions WHERE id = $1 AND prices_pending + prices_waiting <> 0",
    [id],
  );
  return [...twice.map((quote) => `Kept twice: ${say(quote)}`), ...open.map((counts) => `Left over: ${say(counts)}`)];
}

/** A certificate is requested again only if a crash came between request and response. */
function faultsOfCalls({ expected, outages, calls }: FinishedRun): string[] {
  const certs = new Set(expected.filter((row) => !row.mayBeAskedAgain).map((row) => row.certNumber));
  const asked = Map.groupBy(
    calls
      .list()
      .filter(
        (call) =>
          call.cert !== null && certs.has(call.cert) && !PRICE_ENDPOINTS.has(call.endpoint) && !isForImageFile(call),
      ),
    (call) => `${call.endpoint} ${call.path}`,
  );
  const came = (first: Call, second: Call): boolean =>
    outages.some(({ from, to }) => from <= second.at && first.at <= to);
  return [...asked].flatMap(([path, list]) =>
    list.flatMap((call, index) => {
      const before = list[index - 1];
      return before && !came(before, call) ? [`${path} was asked for twice, without a crash between`] : [];
    }),
  );
}

const storedRowsSchema = z.array(z.object({ line: z.number(), cells: z.array(z.string()), status: z.string() }));
const totalsSchema = z.tuple([
  z.object({ sessions: z.number(), processed_cards: z.number(), total_scans: z.number(), total_cards: z.number() }),
]);

async function faultsOfDatabase({ installation, id, expected }: FinishedRun, rows: RowSeen[]): Promise<string[]> {
  const stored = storedRowsSchema.parse(
    await installation.query("SELECT line, cells, status FROM scan_results WHERE session_id = $1 ORDER BY id", [id]),
  );
  const wanted = expected.map(({ line, cells }, index) => ({ line, cells, status: rows[index]?.status }));
  const [totals] = totalsSchema.parse(
    await installation.query(
      `SELECT (SELECT count(*)::int FROM scan_sessions) AS sessions, s.processed_cards,
         u.total_scans::int, u.total_cards_processed::int AS total_cards
       FROM scan_sessions AS s JOIN user_profiles AS u ON u.id = s.user_id WHERE s.id = $1`,
      [id],
    ),
  );
  const right = { sessions: 1, processed_cards: rows.length, total_scans: 1, total_cards: rows.length };
  return [
    ...(isDeepStrictEqual(stored, wanted) ? [] : [`The database's rows are not the sheet's: ${say(stored)}`]),
    ...(isDeepStrictEqual(totals, right) ? [] : [`The database's totals are ${say(totals)}, not ${say(right)}`]),
  ];
}

/** The job of a worker that died after settling its rows is returned, taken, and found done within seconds. */
async function faultsOfJobs({ installation, id }: FinishedRun): Promise<string[]> {
  const open = () =>
    installation.query(
      "SELECT name, state, retry_count FROM jobs.job WHERE data->>'sessionId' = $1 AND state < 'completed'",
      [id],
    );
  return vi
    .waitUntil(async () => (await open()).length === 0, { timeout: JOBS_END_WITHIN_MS, interval: 500 })
    .then(() => [])
    .catch(async () => [`Jobs are left that nobody needs: ${say(await open())}`]);
}

function tally(rows: RowSeen[], by: (row: RowSeen) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(rows, by)].map(([name, list]) => [name, list.length]));
}

const nameOf = (row: RowSeen): string => `Line ${row.line} (${row.gradingCompany} ${row.certNumber})`;
const say = (value: unknown): string => JSON.stringify(value);
