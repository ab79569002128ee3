import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import { sourceListSchema, sourceSchema, type Source, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { finishPrices, pricedLines, pricedSheet, statesOf } from "../../testing/price-test.ts";
import {
  finish,
  followUntil,
  openEndpoints,
  rowsOf,
  runSheet,
  sessionOf,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest({ PRICING_DELAY_MS: "0" });
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  Object.assign(server.simulator.behavior, { psaDailyQuota: null });
  server.simulator.behavior.heal();
  server.simulator.behavior.renewDay();
  server.simulator.calls.clear();
});

let next = 52_000_000;
/** Certificates that no other test uses. */
function newLines(count: number): [string, "PSA"][] {
  const lines = pricedLines(next, count);
  next = Number(lines.at(-1)?.[0] ?? next) + 1;
  return lines;
}
const post = (url: string, person: Person, payload: object = {}) =>
  server.app.inject({ method: "POST", url, headers: person.headers, payload });
async function change(name: SourceName, to: "pause" | "open"): Promise<Source> {
  const answer = await post(`/api/admin/sources/${name}/${to}`, server.admin);
  expect(answer.statusCode, answer.body).toBe(200);
  return sourceSchema.parse(answer.json());
}
const calls = (...endpoints: Parameters<typeof server.simulator.calls.total>[0][]) =>
  endpoints.reduce((sum, endpoint) => sum + server.simulator.calls.total(endpoint), 0);
/** Follows a run until every row is settled or waits. */
async function untilAtRest(session: ScanSession): Promise<ScanSession> {
  const isAtRest = ({ counts }: ScanSession) => !counts.pending && !counts.processing && !counts.queued;
  await followUntil(server, ana, session.id, (event) => isAtRest(event.session));
  return sessionOf(server, ana, session.id);
}
const PAUSED = /^PSA was paused by Administrator on [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M UTC$/;
const message = expect.stringMatching(PAUSED) as unknown;

describe("a company that an administrator paused", () => {
  test("gets no calls, by API or page: its rows wait without an end, others continue, and all resume with it", async () => {
    expect(await change("psa", "pause")).toMatchObject({
      state: "manually_paused",
      manualPause: { by: "Administrator" },
    });
    const sheet = sheetOf([...newLines(3), ["1401019289294", "CGC"]], { reuseKnown: false });
    const session = await startScan(server, ana, sheet);
    const resting = await untilAtRest(session);
    expect(resting.counts).toEqual({ completed: 1, waiting: 3 });
    expect(resting.waits).toEqual([
      { company: "PSA", outcome: "unavailable", until: null, count: 3, message, canScrape: false },
    ]);
    const [row] = await rowsOf(server, ana, session.id);
    expect(row).toMatchObject({ status: "waiting", waitingUntil: null, error: message });
    expect(calls("psa-api", "psa-web")).toBe(0);

    expect(await change("psa", "open")).toMatchObject({ state: "open", manualPause: null });
    const rows = await finish(server, ana, session);
    expect(rows.map(({ status, error }) => [status, error])).toEqual(rows.map(() => ["completed", null]));
  });

  test("lets the card in flight finish; the others wait", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startScan(server, ana, sheetOf(newLines(3), { mode: "api" }));
    await vi.waitUntil(() => calls("psa-api") > 0, { timeout: 20_000, interval: 10 });
    await change("psa", "pause");
    server.simulator.behavior.release();
    const resting = await untilAtRest(session);
    expect(resting.counts).toEqual({ completed: 1, waiting: 2 });
    expect(calls("psa-api")).toBe(2);
    await change("psa", "open");
    expect((await finish(server, ana, session)).map((row) => row.status)).toEqual([
      "completed",
      "completed",
      "completed",
    ]);
  });

  test("fails no card whose API fails meanwhile: the card waits for its fallback page", async () => {
    server.simulator.behavior.hold("psa-api");
    server.simulator.behavior.fail("psa-api", "server_error");
    const session = await startScan(server, ana, sheetOf(newLines(1)));
    await vi.waitUntil(() => calls("psa-api") > 0, { timeout: 20_000, interval: 10 });
    await change("psa", "pause");
    server.simulator.behavior.release();
    expect((await untilAtRest(session)).waits).toMatchObject([{ until: null, message }]);
    expect(calls("psa-web")).toBe(0);
    await change("psa", "open");
    expect(await finish(server, ana, session)).toMatchObject([{ status: "completed", source: "page" }]);
  });

  test("refuses single cards with the reason, and plans show what would wait", async () => {
    await change("psa", "pause");
    for (const way of ["psa-api", "psa", "psa-with-fallback"]) {
      const [[cert]] = newLines(1) as [[string, string]];
      const answer = await server.app.inject({ url: `/api/${way}/${cert}`, headers: ana.headers });
      expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([502, undefined]);
      expect(errorBodySchema.parse(answer.json())).toMatchObject({ code: "unavailable", error: message });
    }
    expect(calls("psa-api", "psa-web")).toBe(0);
    const lines = newLines(2);
    const rows = lines.map(([certNumber, gradingCompany], at) => ({ line: at + 2, certNumber, gradingCompany }));
    const plan = scanPlanSchema.parse((await post("/api/scan-plans", ana, { rows })).json());
    expect(plan.waits).toMatchObject([{ company: "PSA", outcome: "unavailable", rows: 2, until: null, message }]);
    const quota = await server.app.inject({ url: "/api/psa-quota-status", headers: server.admin.headers });
    expect(quotaStatusSchema.parse(quota.json())).toMatchObject({ error: message, limitedUntil: null });
  });

  test("is paused or resumed at once while a transaction holds its rows; these follow later", async () => {
    await change("psa", "pause");
    await sql`
      UPDATE endpoints SET paused_until = now() + interval '1 hour', pause_code = 'unavailable', pause_message = 'closed'
      WHERE name LIKE 'cgc-%'`.execute(server.db);
    const sheet = sheetOf([...newLines(2), ["1401019289294", "CGC"]], { reuseKnown: false });
    const session = await startScan(server, ana, sheet);
    expect((await untilAtRest(session)).counts).toEqual({ waiting: 3 });
    // Like a DELETE or a stop, which may be waiting for other rows of its session.
    await server.db.transaction().execute(async (trx) => {
      const rows = trx.selectFrom("scan_results").select("id").where("session_id", "=", session.id);
      expect(await rows.where("line", ">", 2).forUpdate().execute()).toHaveLength(2);
      await change("psa", "open");
      await change("cgc", "pause");
      expect((await post("/api/reset-quota-cache", server.admin)).statusCode).toBe(200);
    });
    await followUntil(server, ana, session.id, (event) => event.session.counts.completed === 2);
    const waits = async () => (await sessionOf(server, ana, session.id)).waits;
    await expect.poll(waits).toMatchObject([{ company: "CGC", until: null, count: 1 }]);
    await change("cgc", "open");
    expect((await finish(server, ana, session)).map((row) => row.status)).toEqual(Array(3).fill("completed"));
  });

  test("updates rows that waited for something else", async () => {
    server.simulator.behavior.psaDailyQuota = 0;
    const session = await startScan(server, ana, sheetOf(newLines(2), { mode: "api" }));
    expect((await untilAtRest(session)).waits).toMatchObject([
      { outcome: "quota_exhausted", until: expect.any(String) as unknown, count: 2 },
    ]);
    await change("psa", "pause");
    const manualPause = { company: "PSA", outcome: "unavailable", until: null, count: 2, message, canScrape: false };
    await expect
      .poll(async () => (await sessionOf(server, ana, session.id)).waits, { timeout: 20_000 })
      .toEqual([manualPause]);
    server.simulator.behavior.psaDailyQuota = null;
    await change("psa", "open");
    expect((await finish(server, ana, session)).map((row) => row.status)).toEqual(["completed", "completed"]);
  });
});

describe("resuming manually", () => {
  test("ends a pause after failures, and one that the upstream asked for: the next card is looked up", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    await runSheet(server, ana, sheetOf(newLines(5), { mode: "scraping" }));
    server.simulator.behavior.psaDailyQuota = 1;
    const limited = await startScan(server, ana, sheetOf(newLines(2), { mode: "api" }));
    await untilAtRest(limited);
    server.simulator.behavior.heal();
    server.simulator.behavior.psaDailyQuota = null;
    const opened = await change("psa", "open");
    expect(opened.endpoints.map(({ state, since, message: reason }) => [state, since, reason])).toEqual([
      ["open", null, null],
      ["open", null, null],
    ]);
    expect(opened.quota).toMatchObject({ limit: 2500 });
    expect((await finish(server, ana, limited)).map((row) => row.status)).toEqual(["completed", "completed"]);
    expect(await runSheet(server, ana, sheetOf(newLines(1), { mode: "scraping" }))).toMatchObject([{ source: "page" }]);
  });

  test("is logged with the person, the source, and the action, once each; a repetition changes nothing", async () => {
    const first = await change("tag", "pause");
    expect((await change("tag", "pause")).manualPause).toEqual(first.manualPause);
    await change("tag", "open");
    await change("tag", "open");
    await server.activityWritten();
    const noted = await server.db
      .selectFrom("user_activity_logs")
      .select(["user_id", "description", "metadata"])
      .where("activity_type", "=", "source_changed")
      .where("description", "like", "% TAG")
      .orderBy("id")
      .execute();
    expect(noted).toEqual([
      { user_id: server.admin.id, description: "Paused TAG", metadata: { source: "tag", change: "paused" } },
      { user_id: server.admin.id, description: "Resumed TAG", metadata: { source: "tag", change: "opened" } },
    ]);
  });
});

test("is logged even if the waiting rows cannot be notified", async () => {
  const noted = async (): Promise<string[]> => {
    await server.activityWritten();
    const rows = await server.db
      .selectFrom("user_activity_logs")
      .select("description")
      .where("activity_type", "=", "source_changed")
      .where("description", "like", "% CGC")
      .orderBy("id")
      .execute();
    return rows.map(({ description }) => description);
  };
  const before = await noted();
  const session = await startScan(server, ana, sheetOf([["1401019289295", "CGC"]], { reuseKnown: false }));
  await finish(server, ana, session);
  await sql`
    UPDATE scan_results SET status = 'waiting', waiting_until = NULL WHERE session_id = ${session.id}`.execute(
    server.db,
  );
  await sql`
    ALTER TABLE scan_results ADD CONSTRAINT untold CHECK (waiting_until IS NULL OR grading_company <> 'CGC')`.execute(
    server.db,
  );
  try {
    for (const to of ["pause", "open"])
      expect((await post(`/api/admin/sources/cgc/${to}`, server.admin)).statusCode).toBe(500);
  } finally {
    await sql`ALTER TABLE scan_results DROP CONSTRAINT untold`.execute(server.db);
    await sql`UPDATE scan_results SET status = 'completed' WHERE session_id = ${session.id}`.execute(server.db);
  }
  expect((await noted()).slice(before.length)).toEqual(["Paused CGC", "Resumed CGC"]);
});

describe("paused price sources", () => {
  test("let the session end without their prices, which come after the resume", async () => {
    await change("cardladder", "pause");
    await change("cardsiq", "pause");
    const session = await startScan(server, ana, pricedSheet(newLines(2)));
    const rows = await finish(server, ana, session);
    expect(statesOf(rows)).toEqual(["waiting waiting", "waiting waiting"]);
    const { prices } = await sessionOf(server, ana, session.id);
    expect(prices).toMatchObject({ waiting: 4, waits: [{ until: null }, { until: null }] });
    expect(prices.waits.map((wait) => wait.message).toSorted()).toEqual([
      expect.stringMatching(/^CardLadder was paused by Administrator on /),
      expect.stringMatching(/^CardsIQ was paused by Administrator on /),
    ]);
    const refused = await post(`/api/scan-results/${rows[0]?.id}/pricing`, ana);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([502, undefined]);
    expect(calls("cardladder", "cardladder-sign-in", "cardsiq")).toBe(0);

    const listed = await server.app.inject({ url: "/api/admin/sources", headers: server.admin.headers });
    const waiting = sourceListSchema.parse(listed.json()).sources.map(({ name, waitingRows }) => [name, waitingRows]);
    expect(waiting).toEqual(
      expect.arrayContaining([
        ["cardladder", 2],
        ["cardsiq", 2],
      ]),
    );
    await change("cardladder", "open");
    await change("cardsiq", "open");
    expect(statesOf(await finishPrices(server, ana, session))).toEqual(["priced priced", "priced priced"]);
  });
});
