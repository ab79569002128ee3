import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { createBreaker } from "./breaker.ts";
import type { EndpointReport } from "./breaker-rules.ts";
import { createCallLog, forgetOldCalls } from "./call-log.ts";
import { createEndpoints } from "./http-endpoints.ts";
import { startLocalUpstream, type LocalUpstream } from "../testing/local-upstream.ts";
import { onBehalfOf } from "./on-behalf-of.ts";

let database: TestDatabase;
let db: Database;
let upstream: LocalUpstream;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.settings, (error) => expect.unreachable(error.message)));
  upstream = await startLocalUpstream();
});
afterAll(async () => {
  await upstream.close();
  await db.destroy();
  await database.end();
});
beforeEach(async () => {
  await db.deleteFrom("upstream_calls").execute();
});

const listCalls = () => db.selectFrom("upstream_calls").selectAll().orderBy("called_at").orderBy("endpoint").execute();
const WRITE_EVERY_MS = 50;
const fails = (error: Error): never => expect.unreachable(error.message);

test("stores every call with its endpoint, time, duration, and outcome", async () => {
  const endpoints = createEndpoints({ REQUEST_TIMEOUT_MS: 200 });
  const calls = createCallLog(db, fails, WRITE_EVERY_MS);
  const noted = calls.noted(endpoints.endpoints);
  upstream.on("/well", { body: "fine" });
  upstream.on("/late", () => undefined);
  upstream.on("/broken", (response) => response.socket?.resetAndDestroy());
  const from = Date.now();
  const answer = await noted.cardladder({ url: `${upstream.origin}/well` });
  expect(answer).toMatchObject({ kind: "answered", status: 200, text: "fine" });
  expect(await noted["psa-api"]({ url: `${upstream.origin}/nowhere` })).toMatchObject({
    kind: "answered",
    status: 404,
  });
  expect(await noted.cardsiq({ url: `${upstream.origin}/late` })).toMatchObject({ kind: "timed_out" });
  expect(await noted["cardladder-sign-in"]({ url: `${upstream.origin}/broken` })).toMatchObject({
    kind: "network_error",
  });
  await calls.close();
  await endpoints.close();

  const kept = await listCalls();
  expect(kept.map(({ endpoint, ending, status }) => `${endpoint} ${ending} ${status}`).toSorted()).toEqual([
    "cardladder answered 200",
    "cardladder-sign-in network_error null",
    "cardsiq timed_out null",
    "psa-api answered 404",
  ]);
  for (const { called_at: at, duration_ms: ms } of kept) {
    expect([at.getTime() >= from, at.getTime() <= Date.now(), ms >= 0]).toEqual([true, true, true]);
  }
  // Timers may fire a millisecond early.
  expect(kept.find(({ endpoint }) => endpoint === "cardsiq")?.duration_ms).toBeGreaterThan(190);
});

test("writes during calls", async () => {
  const endpoints = createEndpoints({ REQUEST_TIMEOUT_MS: 5_000 });
  const calls = createCallLog(db, fails, WRITE_EVERY_MS);
  upstream.on("/well", { body: "fine" });
  await calls.noted(endpoints.endpoints)["cgc-api"]({ url: `${upstream.origin}/well` });
  await vi.waitUntil(async () => (await listCalls()).length === 1, { timeout: 30_000 });
  await calls.close();
  await endpoints.close();
});

test("calls older than 90 days are deleted", async () => {
  await sql`
    INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending, status)
    VALUES ('tag-api', now() - interval '91 days', 1, 'answered', 200),
      ('tag-page', now() - interval '89 days', 1, 'answered', 200)`.execute(db);
  await sql`
    INSERT INTO price_requests (source, prices, called, requested_at)
    VALUES ('cardsiq', 1, 1, now() - interval '91 days'), ('cardladder', 1, 1, now() - interval '89 days')`.execute(db);
  await forgetOldCalls(db);
  expect((await listCalls()).map(({ endpoint }) => endpoint)).toEqual(["tag-page"]);
  expect(await db.selectFrom("price_requests").select("source").execute()).toEqual([{ source: "cardladder" }]);
});

const FAILS: EndpointReport = { kind: "fails", code: "unavailable", message: "a web page" };
test.each<[what: string, report: EndpointReport, calls: string[], endings: string[]]>([
  ["works: its answers are of use", { kind: "works" }, ["/well", "/well"], ["answered 200", "answered 200"]],
  ["fails: its last answer is useless", FAILS, ["/well", "/well"], ["answered 200", "useless 200"]],
  [
    "fails without an answer: those before are of use",
    FAILS,
    ["/well", "/broken"],
    ["answered 200", "network_error null"],
  ],
  ["finds nothing: a 404 is an answer", { kind: "works" }, ["/nowhere"], ["answered 404"]],
  ["is refused: the status says so", { kind: "works" }, ["/refused", "/well"], ["useless 403", "answered 200"]],
])("a lookup that %s", async (_what, report, paths, endings) => {
  const endpoints = createEndpoints({ REQUEST_TIMEOUT_MS: 5_000 });
  const calls = createCallLog(db, fails, WRITE_EVERY_MS);
  const noted = calls.noted(endpoints.endpoints);
  const breaker = createBreaker(db, { quotas: {}, probeLeaseMs: () => 60_000, outagePatienceMs: 1_800_000 });
  upstream.on("/well", { body: "fine" });
  upstream.on("/refused", { status: 403 });
  upstream.on("/broken", (response) => response.socket?.resetAndDestroy());
  await onBehalfOf("ana", async () => {
    const admission = await breaker.admit("psa-page");
    if (admission.kind !== "admitted") return expect.unreachable(admission.kind);
    for (const path of paths) await noted["psa-page"]({ url: `${upstream.origin}${path}` });
    await breaker.report(admission, 0, report);
  });
  await calls.close();
  await endpoints.close();
  expect((await listCalls()).map(({ ending, status }) => `${ending} ${status}`)).toEqual(endings);
});

test("a database failure breaks no call, and is logged", async () => {
  const endpoints = createEndpoints({ REQUEST_TIMEOUT_MS: 5_000 });
  const errors: Error[] = [];
  const calls = createCallLog(db, (error) => errors.push(error), WRITE_EVERY_MS);
  const { cardsiq } = calls.noted(endpoints.endpoints);
  upstream.on("/well", { body: "fine" });
  await sql`ALTER TABLE upstream_calls RENAME TO no_calls`.execute(db);
  const ask = () => cardsiq({ url: `${upstream.origin}/well` });
  expect(await Promise.all([ask(), ask()])).toMatchObject([{ status: 200 }, { status: 200 }]);
  await vi.waitUntil(() => errors.length > 0, { timeout: 30_000 });
  await sql`ALTER TABLE no_calls RENAME TO upstream_calls`.execute(db);
  expect(errors[0]).toMatchObject({
    message: expect.stringMatching(/^Could not log [12] upstream calls$/) as unknown,
    cause: { code: "42P01" },
  });
  expect(await ask()).toMatchObject({ status: 200 });
  await calls.close();
  expect((await listCalls()).at(-1)).toMatchObject({ endpoint: "cardsiq", status: 200 });
  await endpoints.close();
});

test("names the purpose of a call at any depth, and none if there is none", async () => {
  const endpoints = createEndpoints({ REQUEST_TIMEOUT_MS: 5_000 });
  const calls = createCallLog(db, fails, WRITE_EVERY_MS);
  const noted = calls.noted(endpoints.endpoints);
  upstream.on("/well", { body: "fine" });
  const ask = (endpoint: "cgc-api" | "tag-api" | "psa-api") => noted[endpoint]({ url: `${upstream.origin}/well` });
  let login: Promise<unknown> | null = null;
  const withLogin = async (endpoint: "tag-api" | "psa-api") => {
    login ??= ask("cgc-api");
    await login;
    await ask(endpoint);
  };
  await Promise.all([
    onBehalfOf("ana", () => withLogin("tag-api")),
    onBehalfOf("ben", () => withLogin("psa-api")),
    noted.cardsiq({ url: `${upstream.origin}/well` }),
  ]);
  await calls.close();
  await endpoints.close();
  expect((await listCalls()).map(({ endpoint, user_id: user }) => `${endpoint} ${user}`).toSorted()).toEqual([
    "cardsiq null",
    "cgc-api ana",
    "psa-api ben",
    "tag-api ana",
  ]);
});
