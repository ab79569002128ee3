import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { scanPlanSchema, type ScanPlan } from "@slabdesk/contract/api/plans.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Person } from "../../testing/test-server.ts";
import {
  finish,
  followUntil,
  openEndpoints,
  rowsOf,
  runSheet,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest();
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await server.app.inject({ url: "/api/stop", headers: ana.headers });
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.behavior.psaDailyQuota = null;
  server.simulator.behavior.renewDay();
  server.simulator.calls.clear();
});

let next = 41_000_000;
/** Certificates that no other test uses. */
function linesOf(count: number): [string, "PSA"][] {
  const first = next;
  next += count;
  return Array.from({ length: count }, (_, n) => [String(first + n), "PSA"]);
}
const scraping = { mode: "scraping" as const };
const pageCalls = () => server.simulator.calls.total("psa-web");

async function untilAtRest(session: ScanSession): Promise<ScanSession> {
  const isAtRest = ({ counts }: ScanSession) => !counts.pending && !counts.processing && !counts.queued;
  const events = await followUntil(server, ana, session.id, (event) => isAtRest(event.session));
  return events.at(-1)?.session ?? session;
}
/** Ends every pause. */
async function letTimePass(): Promise<void> {
  await sql`UPDATE endpoints SET paused_until = now() WHERE paused_until IS NOT NULL`.execute(server.db);
  await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
}
async function retry(session: ScanSession): Promise<ScanSession> {
  const url = `/api/scan-sessions/${session.id}/retry`;
  const answer = await server.app.inject({ method: "POST", url, headers: ana.headers });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
async function plan(sheet: object): Promise<ScanPlan> {
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/scan-plans",
    headers: ana.headers,
    payload: sheet,
  });
  return scanPlanSchema.parse(answer.json());
}
const outcomesOf = (rows: readonly ResultRow[]) => [...new Set(rows.map((row) => `${row.status} ${row.outcome}`))];

describe("a wall", () => {
  test("ends affected runs after a few calls; the next run detects that the wall is gone", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const sessions = await Promise.all(
      [180, 20].map((count) =>
        startScan(server, ana, sheetOf([...linesOf(count), ["1401000000333", "CGC"]], scraping)),
      ),
    );
    for (const session of sessions) await untilAtRest(session);
    expect(pageCalls()).toBe(5);

    await letTimePass();
    for (const session of sessions) {
      const rows = await finish(server, ana, session);
      expect(outcomesOf(rows)).toEqual(["error blocked", "completed found"]);
      expect(rows.at(-2)).toMatchObject({
        itemName: `Error: ${rows.at(-2)?.certNumber}`,
        error: `Failed to fetch PSA cert ${rows.at(-2)?.certNumber}: 502 PSA's page blocked us (bot protection). Not retried: earlier calls were refused`,
      });
    }
    expect(pageCalls()).toBe(6);
    const fresh = sheetOf([...linesOf(3), ["1401000000333", "CGC"]], scraping);
    expect(await plan({ rows: fresh.rows, mode: "scraping", reuseKnown: false })).toMatchObject({
      sources: [{ company: "CGC", source: "page", cards: 1 }],
      waits: [],
      walls: [{ company: "PSA", source: "page", outcome: "blocked", rows: 3, isProbed: true }],
    });

    const [first, second] = sessions;
    if (!first || !second) throw new Error("Two sessions were started");
    await finish(server, ana, await retry(first));
    expect(outcomesOf(await rowsOf(server, ana, first.id))).toEqual(["error blocked", "completed found"]);
    expect(pageCalls()).toBe(7);

    server.simulator.behavior.heal();
    await finish(server, ana, await retry(second));
    expect(outcomesOf(await rowsOf(server, ana, second.id))).toEqual(["completed found"]);
  });

  test("is probed by three runs at once, then less often", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const session = await startScan(server, ana, sheetOf(linesOf(6), scraping));
    await untilAtRest(session);
    await letTimePass();
    await finish(server, ana, session);
    const calls = [pageCalls()];
    for (let n = 0; n < 5; n += 1) {
      await finish(server, ana, await retry(session));
      calls.push(pageCalls());
    }
    expect(calls).toEqual([6, 7, 8, 9, 9, 9]);
    const { rows } = sheetOf(linesOf(3));
    expect(await plan({ rows, mode: "scraping" })).toMatchObject({
      sources: [],
      walls: [{ rows: 3, isProbed: false }],
    });
    expect(await plan({ rows })).toMatchObject({ sources: [{ company: "PSA", source: "api", cards: 3 }], walls: [] });
  });

  test("does not stop cards that have another endpoint", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const session = await startScan(server, ana, sheetOf(linesOf(6), scraping));
    await untilAtRest(session);
    await letTimePass();
    await finish(server, ana, session);
    const [row] = await runSheet(server, ana, sheetOf(linesOf(1)));
    expect(row).toMatchObject({ status: "completed", source: "api" });
  });
});

describe("with an API and a page", () => {
  test("a refused token is shown, although the page has a bot wall; both are in the history", async () => {
    server.simulator.behavior.fail("psa-api", "refused");
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const session = await startScan(server, ana, sheetOf(linesOf(20)));
    await untilAtRest(session);
    await letTimePass();
    const rows = await finish(server, ana, session);
    expect(outcomesOf(rows)).toEqual(["error forbidden"]);
    expect(server.simulator.calls.total("psa-api") + pageCalls()).toBeLessThanOrEqual(12);
    const url = `/api/scan-results/${rows[0]?.id}/provenance`;
    const history = await server.app.inject({ url, headers: ana.headers });
    expect(history.json()).toMatchObject({
      lookUps: [
        { source: "api", outcome: "forbidden" },
        { source: "page", outcome: "blocked" },
      ],
    });

    server.simulator.behavior.heal();
    await finish(server, ana, await retry(session));
    expect(outcomesOf(await rowsOf(server, ana, session.id))).toEqual(["completed found"]);
  });

  test("cards wait for the API's quota, although the page has a bot wall", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const session = await startScan(server, ana, sheetOf(linesOf(12)));
    const resting = await untilAtRest(session);
    expect(resting.counts).toEqual({ completed: 1, waiting: 11 });
    // The page is due again: its probe is refused, and no card ends.
    await sql`UPDATE endpoints SET paused_until = now() WHERE name = 'psa-page'`.execute(server.db);
    await sql`UPDATE scan_results SET waiting_until = now() WHERE outcome = 'blocked'`.execute(server.db);
    await expect.poll(pageCalls, { timeout: 30_000 }).toBe(6);
    await followUntil(
      server,
      ana,
      session.id,
      ({ session: { counts, waits } }) =>
        counts.waiting === 11 && waits.every(({ outcome }) => outcome === "quota_exhausted"),
      resting.eventSeq,
    );

    server.simulator.behavior.psaDailyQuota = null;
    await openEndpoints(server);
    const rows = await finish(server, ana, session);
    expect(outcomesOf(rows)).toEqual(["completed found"]);
    expect(pageCalls()).toBe(6);
  });
});

test("an outage is waited for until the patience ends; the cards end as unavailable and can be retried", async () => {
  server.simulator.behavior.fail("psa-web", "server_error");
  const session = await startScan(server, ana, sheetOf(linesOf(30), scraping));
  const resting = await untilAtRest(session);
  expect(resting.counts).toEqual({ error: 5, waiting: 25 });
  await sql`UPDATE endpoints SET paused_at = paused_at - interval '30 minutes' WHERE name = 'psa-page'`.execute(
    server.db,
  );
  await sql`UPDATE scan_sessions SET requested_at = requested_at - interval '30 minutes'`.execute(server.db);
  await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
  const rows = await finish(server, ana, session);
  expect(outcomesOf(rows)).toEqual(["error unavailable"]);
  expect(rows.at(-1)?.error).toMatch(/It did not recover within 30 minutes$/);
  expect(pageCalls()).toBe(5);

  server.simulator.behavior.heal();
  const again = await retry(session);
  expect((await untilAtRest(again)).counts).toEqual({ waiting: 30 });
  await letTimePass();
  expect(outcomesOf(await finish(server, ana, session))).toEqual(["completed found"]);
});
