import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";
import { amount } from "../../../../scripts/test-form.ts";
import type { Person } from "../../testing/test-server.ts";
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

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest({ PSA_DAILY_QUOTA: "10" });
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

let next = 40_000_000;
/** Certificates that no other test uses. */
function psaLines(count: number): [string, "PSA"][] {
  const first = next;
  next += count;
  return Array.from({ length: count }, (_, n) => [String(first + n), "PSA"]);
}
const api = { mode: "api" as const };

/** Follows the run until every row is settled or waits. */
async function untilAtRest(session: ScanSession): Promise<ScanSession> {
  const isAtRest = ({ counts }: ScanSession) => !counts.pending && !counts.processing && !counts.queued;
  const events = await followUntil(server, ana, session.id, (event) => isAtRest(event.session));
  return events.at(-1)?.session ?? session;
}
/** Ends every pause. */
async function letTimePass(): Promise<void> {
  await sql`UPDATE endpoints SET paused_until = now() WHERE paused_until IS NOT NULL`.execute(server.db);
  await sql`UPDATE endpoints SET window_started_at = window_started_at - interval '24 hours'`.execute(server.db);
  await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
}
const post = (url: string, person: Person, payload: object = {}) =>
  server.app.inject({ method: "POST", url, headers: person.headers, payload });
async function quota(): Promise<QuotaStatus> {
  const answer = await server.app.inject({
    url: "/api/psa-quota-status?forceRefresh=true&t=1",
    headers: server.admin.headers,
  });
  return answer.json();
}
const psaApiCalls = () => server.simulator.calls.total("psa-api");

describe("PSA's quota", () => {
  test("serves what it can; other rows wait, other companies continue, and all resume after the reset", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf([...psaLines(12), ["1401019289294", "CGC"], ["C1240631", "TAG"]], { ...api, reuseKnown: false }),
    );
    const resting = await untilAtRest(session);
    const { limitedUntil, ...status } = await quota();
    expect(resting).toMatchObject({ status: "processing", counts: { completed: 12, waiting: 2 } });
    expect(resting.waits).toEqual([
      {
        company: "PSA",
        outcome: "quota_exhausted",
        until: limitedUntil,
        count: 2,
        message: "PSA's limit of 10 API calls per day is used up",
        canScrape: true,
      },
    ]);
    const pages = server.db.updateTable("endpoints").where("name", "=", "psa-page");
    await pages.set({ paused_until: new Date(Date.now() + 60_000) }).execute();
    expect((await sessionOf(server, ana, session.id)).waits).toMatchObject([{ canScrape: false }]);
    await pages.set({ paused_until: null }).execute();
    expect(psaApiCalls()).toBe(10);
    expect(status).toMatchObject({ remainingQuota: 0, totalQuota: 10, usedToday: 10, noAccess: false });
    expect(Date.parse(limitedUntil ?? "") - Date.parse(status.lastReset ?? "")).toBe(86_400_000);
    const waiting = (await rowsOf(server, ana, session.id)).filter((row) => row.status === "waiting");
    expect(waiting.map((row) => row.line)).toEqual([12, 13]);
    expect(waiting[0]).toMatchObject({ waitingUntil: limitedUntil, outcome: "quota_exhausted", itemName: null });

    await letTimePass();
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.status)).toEqual(Array.from({ length: 14 }, () => "completed"));
    expect(await quota()).toMatchObject({ usedToday: 4, remainingQuota: 6, limitedUntil: null });
  });

  test("follows PSA's 429: limit and reset time, and no call until then", async () => {
    server.simulator.behavior.psaDailyQuota = 6;
    const session = await startScan(server, ana, sheetOf(psaLines(6), api));
    const resting = await untilAtRest(session);
    expect(resting.counts).toEqual({ completed: 4, waiting: 2 });
    expect(psaApiCalls()).toBe(7);
    expect(await quota()).toMatchObject({ totalQuota: 6, usedToday: 6, remainingQuota: 0 });
    const until = Date.parse((await quota()).limitedUntil ?? "");
    expect(until - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect(until - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    const later = await startScan(server, ana, sheetOf(psaLines(2), api));
    expect((await untilAtRest(later)).counts).toEqual({ waiting: 2 });
    expect(psaApiCalls()).toBe(7);
  });

  test("exhausted between a card and its images costs the images, not the card", async () => {
    server.simulator.behavior.psaDailyQuota = 3;
    const session = await startScan(server, ana, sheetOf(psaLines(3), api));
    expect((await untilAtRest(session)).counts).toEqual({ completed: 2, waiting: 1 });
    const [, second] = await rowsOf(server, ana, session.id);
    expect(second).toMatchObject({ outcome: "found", notes: expect.stringContaining("images are fetched later") });
  });

  test("does not stop a card with a fallback: the page is used and the API is not", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    const rows = await runSheet(server, ana, sheetOf(psaLines(5)));
    expect(rows.map((row) => row.source)).toEqual(["api", "page", "page", "page", "page"]);
    expect(psaApiCalls()).toBe(3);
  });

  test("can be bypassed with web scraping for all waiting rows in one request", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    const session = await startScan(server, ana, sheetOf(psaLines(4), api));
    await untilAtRest(session);
    const sent = await Promise.all(
      [1, 2].map(() => post(`/api/scan-sessions/${session.id}/waiting`, ana, { mode: "scraping" })),
    );
    expect(sent.map((answer) => answer.statusCode)).toEqual([200, 200]);
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.source)).toEqual(["api", "page", "page", "page"]);
    expect(server.simulator.calls.total("psa-web")).toBe(3);
  });

  test("cleared by an administrator allows a new call at once", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    const session = await startScan(server, ana, sheetOf(psaLines(3), api));
    await untilAtRest(session);
    server.simulator.behavior.psaDailyQuota = null;
    const reset = await post("/api/reset-quota-cache", server.admin);
    expect(reset.json()).toMatchObject({ totalQuota: 10, limitedUntil: null });
    expect((await finish(server, ana, session)).map((row) => row.status)).toEqual([
      "completed",
      "completed",
      "completed",
    ]);
    expect((await post("/api/reset-quota-cache", ana)).statusCode).toBe(403);
  });

  test("that resets early is noticed automatically", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    const session = await startScan(server, ana, sheetOf(psaLines(3), api));
    expect((await untilAtRest(session)).counts.waiting).toBe(2);
    server.simulator.behavior.psaDailyQuota = null;
    await openEndpoints(server);
    expect((await finish(server, ana, session)).map((row) => row.status)).toEqual([
      "completed",
      "completed",
      "completed",
    ]);
  });

  test("is told to a script that asks for one card, with the time to come back", async () => {
    await startScan(server, ana, sheetOf(psaLines(6), api)).then(untilAtRest);
    const answer = await server.app.inject({ url: `/api/psa-api/${next + 99}`, headers: ana.headers });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([429, "quota_exhausted"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(80_000);
  });
});

describe("a bot wall", () => {
  const scraping = { mode: "scraping" as const };

  test("settles five rows with its outcome, then the rest waits; one probe opens the endpoint", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const session = await startScan(server, ana, sheetOf([...psaLines(9), ["1401000000333", "CGC"]], scraping));
    const resting = await untilAtRest(session);
    expect(resting).toMatchObject({
      counts: { completed: 1, error: 5, waiting: 4 },
      causes: { blocked: 5 },
      waits: [{ company: "PSA", outcome: "blocked", count: 4, message: "PSA's page blocked us (bot protection)" }],
    });
    expect(Date.parse(resting.waits[0]?.until ?? "") - Date.now()).toBeLessThanOrEqual(30_000);
    expect(server.simulator.calls.total("psa-web")).toBe(5);

    server.simulator.behavior.heal();
    await letTimePass();
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.status)).toEqual([
      ...Array.from({ length: 5 }, () => "error"),
      ...Array.from({ length: 5 }, () => "completed"),
    ]);
  });

  test("is probed with one card, however long its turn takes", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    const session = await startScan(server, ana, sheetOf(psaLines(12), scraping));
    await untilAtRest(session);
    // Another session keeps the lane busy while the probe waits for its turn.
    server.simulator.behavior.latencyMs = 200;
    const busy = await startScan(server, ana, sheetOf(psaLines(6), api));
    await followUntil(server, ana, busy.id, (event) => event.session.processedCards >= 1);
    await letTimePass();
    const events = await followUntil(server, ana, session.id, (event) => (event.session.counts.error ?? 0) >= 6);
    const underWay = events.map(({ session: { counts } }) => (counts.pending ?? 0) + (counts.processing ?? 0));
    expect(Math.max(...underWay.slice(1))).toBeLessThanOrEqual(1);
    server.simulator.behavior.latencyMs = 0;
  });

  test("at the page does not affect rows with an API", async () => {
    server.simulator.behavior.fail("psa-web", "bot_wall");
    await startScan(server, ana, sheetOf(psaLines(6), scraping)).then(untilAtRest);
    const [row] = await runSheet(server, ana, sheetOf(psaLines(1)));
    expect(row).toMatchObject({ status: "completed", source: "api" });
  });
});

test("refused credentials pause the API with their own message", async () => {
  server.simulator.behavior.fail("cgc-api", "refused");
  const lines = Array.from({ length: 7 }, (_, n): [string, string] => [String(1401000000400 + n), "CGC"]);
  const session = await startScan(server, ana, sheetOf(lines, api));
  expect(await untilAtRest(session)).toMatchObject({
    counts: { error: 5, waiting: 2 },
    causes: { forbidden: 5 },
    waits: [{ company: "CGC", outcome: "forbidden", message: expect.stringContaining("may not read CGC cards") }],
  });
});

const MANY_ROWS = amount({ short: 4_101, long: 5_001 });

test("many rows that start to wait are announced in several messages, each row once", async () => {
  server.simulator.behavior.psaDailyQuota = 2;
  const session = await startScan(server, ana, sheetOf(psaLines(MANY_ROWS), api));
  await followUntil(server, ana, session.id, (event) => event.session.counts.waiting === MANY_ROWS - 2);
  const { eventSeq } = await sessionOf(server, ana, session.id);
  const told = await followUntil(server, ana, session.id, (event) => event.session.eventSeq >= eventSeq);
  expect(new Set(told.flatMap((event) => event.results).map((row) => row.id))).toHaveLength(MANY_ROWS);
  expect(Math.max(...told.map((event) => event.results.length))).toBeLessThanOrEqual(4_000);
});

describe("a page's pause after the API failed", () => {
  const apiFails = magicCert("CGC", "80");
  const pausePage = (code: string, seconds: number) =>
    sql`UPDATE endpoints SET paused_at = now(), paused_until = now() + make_interval(secs => ${seconds}), pause_code = ${code}
      WHERE name = 'cgc-page'`.execute(server.db);

  test("is waited for if it is short; only the page is called after it, and other cards don't wait", async () => {
    await pausePage("quota_exhausted", 30);
    const session = await startScan(
      server,
      ana,
      sheetOf([
        [apiFails, "CGC"],
        ["4011234567", "CGC"],
      ]),
    );
    expect((await untilAtRest(session)).counts).toEqual({ completed: 1, waiting: 1 });
    await letTimePass();
    const [row] = await finish(server, ana, session);
    expect(row).toMatchObject({ outcome: "found", source: "page" });
    // The first call can meet a token from before the simulator was reset.
    const calls = server.simulator.calls.list({ cert: apiFails }).filter(({ fault }) => fault !== "refused");
    expect(calls.map(({ endpoint }) => endpoint)).toEqual(["cgc-api", "cgc-web"]);
  });

  test.each([
    ["quota_exhausted", 3_600],
    ["blocked", 30],
  ])("is not waited for if it is long or a refusal: %s, %d s", async (code, seconds) => {
    await pausePage(code, seconds);
    const [row] = await runSheet(server, ana, sheetOf([[apiFails, "CGC"]], { reuseKnown: false }));
    expect(row).toMatchObject({ outcome: "unavailable", error: expect.stringContaining("CGC's API") });
  });
});

describe("a stop while rows wait", () => {
  test("returns them to pending, and a resume continues them", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    const session = await startScan(server, ana, sheetOf(psaLines(3), api));
    await untilAtRest(session);
    expect((await post(`/api/scan-sessions/${session.id}/stop`, ana)).json()).toMatchObject({
      status: "failed",
      counts: { completed: 1, pending: 2 },
      waits: [],
    });
    server.simulator.behavior.psaDailyQuota = null;
    await post("/api/reset-quota-cache", server.admin);
    await post(`/api/scan-sessions/${session.id}/resume`, ana);
    expect((await finish(server, ana, session)).map((row) => row.status)).toEqual([
      "completed",
      "completed",
      "completed",
    ]);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", processedCards: 3 });
  });
});

test("a row retried in a stopped session runs after a pause, even if other rows are still pending", async () => {
  const { behavior } = server.simulator;
  behavior.hold("tag-api");
  const lines = [1, 2, 3].map((n): [string, string] => [`X300000${n}`, "TAG"]);
  const session = await startScan(server, ana, sheetOf(lines, api));
  await post(`/api/scan-sessions/${session.id}/stop`, ana);
  behavior.release("tag-api");
  const isFree = async () => (await rowsOf(server, ana, session.id)).every(({ status }) => status !== "processing");
  await expect.poll(isFree, { timeout: 20_000 }).toBe(true);
  const last = (await rowsOf(server, ana, session.id)).at(-1);
  await sql`
    WITH failed AS (UPDATE scan_results SET status = 'error', outcome = 'unavailable' WHERE id = ${Number(last?.id)})
    UPDATE scan_sessions SET processed_cards = processed_cards + 1 WHERE id = ${session.id}`.execute(server.db);
  const tag = server.db.updateTable("endpoints").where("name", "=", "tag-api");
  const until = new Date(Date.now() + 3_600_000);
  await tag.set({ paused_until: until, pause_code: "quota_exhausted", pause_message: "Used up" }).execute();
  await post(`/api/scan-sessions/${session.id}/retry`, ana, { rowIds: [last?.id] });
  const statuses = async () => (await rowsOf(server, ana, session.id)).map(({ status }) => status);
  await expect.poll(async () => (await statuses()).at(-1), { timeout: 20_000 }).toBe("waiting");
  await letTimePass();
  await expect.poll(async () => (await statuses()).at(-1), { timeout: 20_000 }).toBe("completed");
  expect(await statuses()).toContain("pending");
});
