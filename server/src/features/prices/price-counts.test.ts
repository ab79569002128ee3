import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";
import { seeded, type Seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { amount } from "../../../../scripts/test-form.ts";
import { letQuotesAge, pausePrices, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import { openEndpoints, sessionOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

/*
 * A session's price counters are updated, never recounted. This test recounts them after every step of random
 * histories, in one statement, so that it sees a committed state.
 */

const SEED = "prices are counted";
const SESSIONS = amount({ short: 2, long: 4 });

let server: ScanTest;
beforeAll(async () => {
  server = await startScanTest({ PRICING_DELAY_MS: "15", CARD_DELAY_MS: "5", CARDSIQ_BATCH_SIZE: "3" });
});
afterAll(async () => {
  await server.closeAll();
});

type Counts = {
  status: string;
  pending: number;
  waiting: number;
  processed: number;
  total: number;
  rows_pending: number;
  rows_waiting: number;
  rows_processed: number;
  rows: number;
  /** Rows whose price is to come without a job, or the other way round. */
  astray: number;
  /** Rows that are priced without a price, or have the price of a card that was not found. */
  wrong: number;
};

/** A session's counters beside those of its rows, at one moment. */
async function countAnew(sessionId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT s.status, s.prices_pending AS pending, s.prices_waiting AS waiting, s.processed_cards AS processed,
      s.total_cards AS total, r.*
    FROM scan_sessions AS s, LATERAL (
      SELECT count(*) AS rows,
        count(*) FILTER (WHERE status IN ('completed', 'error', 'completed_retry', 'failed')) AS rows_processed,
        COALESCE(sum(p.pending), 0)::int AS rows_pending, COALESCE(sum(p.waiting), 0)::int AS rows_waiting,
        COALESCE(sum(p.astray), 0)::int AS astray,
        count(*) FILTER (WHERE p.priced_without > 0 OR (p.asked > 0 AND outcome IS DISTINCT FROM 'found')) AS wrong
      FROM scan_results, LATERAL (
        SELECT count(*) AS asked, count(*) FILTER (WHERE state = 'pending') AS pending,
          count(*) FILTER (WHERE state = 'waiting') AS waiting,
          count(*) FILTER (WHERE (job_id IS NOT NULL) <> (state IN ('pending', 'waiting'))) AS astray,
          count(*) FILTER (WHERE state = 'priced' AND quote_id IS NULL) AS priced_without
        FROM result_prices WHERE result_id = scan_results.id
      ) AS p
      WHERE session_id = s.id
    ) AS r
    WHERE s.id = ${sessionId}`.execute(server.db);
  const [counts] = rows;
  if (!counts) throw new Error(`There is no session ${sessionId}`);
  return counts;
}

function expectRight(counts: Counts, after: string): void {
  const { status, pending, waiting, processed, total, astray, wrong } = counts;
  expect({ after, pending, waiting, processed, total, astray, wrong }).toEqual({
    after,
    pending: counts.rows_pending,
    waiting: counts.rows_waiting,
    processed: counts.rows_processed,
    total: counts.rows,
    astray: 0,
    wrong: 0,
  });
  if (status === "completed") expect([after, processed]).toEqual([after, total]);
  if (status === "processing") expect([after, processed < total || pending > 0]).toEqual([after, true]);
}

const CARDS: [string, string][] = [
  ...pricedLines(34_000_000, 5),
  [magicCert("PSA", "60"), "PSA"],
  [magicCert("PSA", "65"), "PSA"],
  ["1100500001", "CGC"],
  [magicCert("PSA", "90"), "PSA"],
  [magicCert("PSA", "92"), "PSA"],
  ["no number", "PSA"],
  ["B2000001", "TAG"],
];

function pickOne<T>(random: Seeded, list: readonly T[]): T {
  const one = list[random.int(0, list.length - 1)];
  if (one === undefined) throw new Error("There is nothing to pick from");
  return one;
}

function inAnyOrder<T>(random: Seeded, list: readonly T[]): T[] {
  const drawn = list.map((one) => ({ one, lot: random.next() }));
  return drawn.toSorted((a, b) => a.lot - b.lot).map(({ one }) => one);
}

type Scenario = { sessionId: string; random: Seeded; nextLine: number };
type Step = (scenario: Scenario) => Promise<unknown>;

const send = (method: "POST" | "DELETE", url: string, payload?: object) =>
  server.app.inject({ method, url, headers: server.admin.headers, ...(payload && { payload }) });
const postTo =
  (what: string): Step =>
  ({ sessionId }) =>
    send("POST", `/api/scan-sessions/${sessionId}/${what}`, {});

async function randomRow({ sessionId, random }: Scenario): Promise<number | null> {
  const rows = await server.db.selectFrom("scan_results").select("id").where("session_id", "=", sessionId).execute();
  return rows.length > 1 ? pickOne(random, rows).id : null;
}

async function untilEnded(scenario: Scenario): Promise<void> {
  await postTo("resume")(scenario);
  const hasEnded = async () => (await sessionOf(server, server.admin, scenario.sessionId)).status === "completed";
  await vi.waitUntil(hasEnded, { timeout: 20_000, interval: 20 });
}

const STEPS_BY_NAME: Record<string, Step> = {
  stop: postTo("stop"),
  resume: postTo("resume"),
  retry: postTo("retry"),
  reprice: postTo("reprice"),
  "get price": async (scenario) => send("POST", `/api/scan-results/${await randomRow(scenario)}/pricing`, {}),
  "delete row": async (scenario) => {
    const id = await randomRow(scenario);
    if (id !== null) await send("DELETE", `/api/scan-results/${id}`);
  },
  "add rows": async (scenario) => {
    const rows = [1, 2].map(() => {
      const [certNumber, gradingCompany] = pickOne(scenario.random, CARDS);
      scenario.nextLine += 1;
      return { line: scenario.nextLine, cells: [certNumber, gradingCompany], certNumber, gradingCompany };
    });
    await send("POST", `/api/scan-sessions/${scenario.sessionId}/rows`, { rows });
  },
  "quotes age": () => letQuotesAge(server, 25),
  "endpoints pause": () => pausePrices(server, ["cardladder", "cardsiq"], 600),
  "one endpoint pauses shortly": () => pausePrices(server, ["cardladder"], 1),
  "endpoints open": () => openEndpoints(server),
  "the run ends without its prices": async (scenario) => {
    await openEndpoints(server);
    await letQuotesAge(server, 25);
    await pausePrices(server, ["cardladder", "cardsiq"], 600);
    await postTo("reprice")(scenario);
    await untilEnded(scenario);
  },
  "the run ends and is repriced": async (scenario) => {
    await openEndpoints(server);
    await untilEnded(scenario);
    await letQuotesAge(server, 25);
    await pausePrices(server, ["cardladder"], 20);
    await postTo("reprice")(scenario);
  },
  "a moment passes": async ({ sessionId }) => {
    const { event_seq: before } = await server.db
      .selectFrom("scan_sessions")
      .select("event_seq")
      .where("id", "=", sessionId)
      .executeTakeFirstOrThrow();
    const hasMoved = async () => (await sessionOf(server, server.admin, sessionId)).eventSeq > before;
    await vi.waitUntil(hasMoved, { timeout: 400, interval: 20 }).catch(() => undefined);
  },
};
const NAMES = [...Object.keys(STEPS_BY_NAME), "a moment passes", "reprice", "stop"];

/** Lets all work continue until nothing is left. */
async function untilAllIsDone(sessionId: string, history: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      await openEndpoints(server);
      const counts = await countAnew(sessionId);
      expectRight(counts, `${history}, the end`);
      return counts.status === "completed" && counts.pending === 0 && counts.waiting === 0;
    },
    { timeout: 60_000, interval: 100 },
  );
}

test(`a session's counters always match its rows (seed: ${SEED})`, { timeout: 300_000 }, async () => {
  const random = seeded(SEED);
  const seen = new Set<string>();
  const scenarios: (Scenario & { history: string })[] = [];
  for (let n = 0; n < SESSIONS; n += 1) {
    await openEndpoints(server);
    const sheet = pricedSheet(
      Array.from({ length: 8 }, () => pickOne(random, CARDS)),
      { reuseKnown: n % 2 === 0 },
    );
    const { id: sessionId } = await startScan(server, server.admin, sheet);
    const scenario = { sessionId, random, nextLine: 10, history: `session ${n}` };
    scenarios.push(scenario);
    for (const name of inAnyOrder(random, NAMES)) {
      scenario.history += `, ${name}`;
      await STEPS_BY_NAME[name]?.(scenario);
      const counts = await countAnew(sessionId);
      expectRight(counts, scenario.history);
      if (counts.pending > 0) seen.add(`${counts.status} with prices pending`);
      if (counts.waiting > 0) seen.add(`${counts.status} with prices waiting`);
    }
  }
  await openEndpoints(server);
  await Promise.all(scenarios.map(postTo("resume")));
  await Promise.all(scenarios.map(({ sessionId, history }) => untilAllIsDone(sessionId, history)));
  expect([...seen].toSorted()).toEqual(
    expect.arrayContaining([
      "completed with prices pending",
      "completed with prices waiting",
      "processing with prices pending",
    ]),
  );
  expect(server.errors).toEqual([]);
});
