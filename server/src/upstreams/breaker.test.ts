import { formatUtcMoment } from "@slabdesk/contract/certs/dates.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { migrateToLatest } from "../database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { createBreaker, type Admission, type Breaker } from "./breaker.ts";
import type { EndpointReport } from "./breaker-rules.ts";

let database: TestDatabase;
let db: Database;
/** Two nodes on one database. */
let breaker: Breaker;
let other: Breaker;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.settings, (error) => expect.unreachable(error.message)));
  await migrateToLatest(db);
  const settings = {
    quotas: { "psa-api": { perDay: 10, perCard: 2 } },
    probeLeaseMs: () => 60_000,
    outagePatienceMs: 1_800_000,
  };
  [breaker, other] = [createBreaker(db, settings), createBreaker(db, settings)];
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});
beforeEach(async () => {
  await sql`DELETE FROM endpoints`.execute(db);
  await sql`INSERT INTO endpoints (name) VALUES ('psa-api'), ('psa-page'), ('cgc-api'), ('cgc-page')`.execute(db);
});

const FAILS: EndpointReport = { kind: "fails", code: "blocked", message: "PSA's page blocked us" };
const DOWN: EndpointReport = { kind: "fails", code: "unavailable", message: "PSA's page is down" };
const WORKS: EndpointReport = { kind: "works" };

async function admitted(endpoint: "psa-api" | "psa-page", node = breaker): Promise<Admission> {
  const admission = await node.admit(endpoint);
  if (admission.kind !== "admitted") throw new Error(`Not let through: ${admission.kind}`);
  return admission;
}
async function lookUp(endpoint: "psa-api" | "psa-page", report: EndpointReport, spent = 1): Promise<Date | null> {
  return breaker.report(await admitted(endpoint), spent, report);
}
const stateNow = async (endpoint: "psa-api" | "psa-page" | "cgc-page" = "psa-page") =>
  (await breaker.status(endpoint)).state;
async function pauseS(): Promise<number> {
  const state = await stateNow();
  if (state.kind !== "paused") throw new Error(`The endpoint is ${state.kind}`);
  const { rows } = await sql<{ s: number }>`
    SELECT round(EXTRACT(EPOCH FROM paused_until - clock_timestamp()))::int AS s FROM endpoints WHERE name = 'psa-page'`.execute(
    db,
  );
  return rows[0]?.s ?? -1;
}
/** Ends the pause, as if its time had passed. A wall began at least a millisecond before, as times are compared so. */
async function letTimePass(): Promise<void> {
  await sql`
    UPDATE endpoints SET paused_until = clock_timestamp(), walled_at = walled_at - interval '1 ms'
    WHERE paused_until IS NOT NULL`.execute(db);
}

describe("failures", () => {
  test("four in a row change nothing, the fifth pauses the endpoint with its message, and no other endpoint", async () => {
    for (let n = 0; n < 4; n += 1) await lookUp("psa-page", FAILS);
    expect(await stateNow()).toEqual({ kind: "open" });
    await lookUp("psa-page", FAILS);
    expect(await stateNow()).toMatchObject({ kind: "paused", code: "blocked", message: "PSA's page blocked us" });
    expect(await breaker.admit("psa-page")).toMatchObject({ kind: "paused" });
    expect(await stateNow("cgc-page")).toEqual({ kind: "open" });
  });

  test("a success resets the count; a timeout does not count", async () => {
    for (let n = 0; n < 4; n += 1) await lookUp("psa-page", FAILS);
    await lookUp("psa-page", WORKS);
    for (let n = 0; n < 4; n += 1) await lookUp("psa-page", FAILS);
    await lookUp("psa-page", { kind: "unclear", message: "Request timeout" });
    expect(await stateNow()).toEqual({ kind: "open" });
    await lookUp("psa-page", FAILS);
    expect(await stateNow()).toMatchObject({ kind: "paused" });
  });

  test("each failed probe doubles the pause, from a minute to a quarter of an hour; a successful one opens the endpoint", async () => {
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", DOWN);
    const pauses = [await pauseS()];
    for (let n = 0; n < 6; n += 1) {
      await letTimePass();
      expect(await stateNow()).toEqual({ kind: "due" });
      await lookUp("psa-page", n === 2 ? { kind: "unclear", message: "Request timeout" } : DOWN);
      pauses.push(await pauseS());
    }
    expect(pauses).toEqual([60, 120, 240, 480, 900, 900, 900]);
    await letTimePass();
    await lookUp("psa-page", WORKS);
    expect(await stateNow()).toEqual({ kind: "open" });
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", DOWN);
    expect(await pauseS()).toBe(60);
  });

  test("calls under way when the endpoint paused do not extend the pause", async () => {
    const underWay = await Promise.all(Array.from({ length: 8 }, () => admitted("psa-page")));
    for (const admission of underWay) await breaker.report(admission, 1, DOWN);
    expect(await pauseS()).toBe(60);
  });

  test("a refused probe walls the endpoint on every node for runs asked for before it", async () => {
    const { rows } = await sql<{ at: Date }>`SELECT clock_timestamp() AS at`.execute(db);
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", FAILS);
    expect(await pauseS()).toBe(30);
    await letTimePass();
    await lookUp("psa-page", FAILS);
    const closed = { kind: "closed", code: "blocked" };
    expect([
      await other.admit("psa-page", rows[0]?.at),
      (await breaker.status("psa-page", rows[0]?.at)).state,
    ]).toMatchObject([closed, closed]);
    expect(await breaker.status("psa-page")).toMatchObject({ wall: { code: "blocked", isDue: true } });
    await letTimePass();
    expect(await admitted("psa-page", other)).toMatchObject({ isProbe: true });
    await breaker.acceptCredentials("psa-page");
    expect(await stateNow()).toMatchObject({ kind: "probing" });
    await breaker.resume("psa");
    expect(await breaker.status("psa-page")).toMatchObject({ state: { kind: "open" }, wall: null });
  });

  test("accepted credentials open an endpoint that refused them", async () => {
    const refused: EndpointReport = { kind: "fails", code: "forbidden", message: "PSA refused our token" };
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", refused);
    await letTimePass();
    await lookUp("psa-page", refused);
    await breaker.acceptCredentials("psa-page");
    expect(await stateNow()).toEqual({ kind: "open" });
  });

  test("one probe is allowed over all nodes, and another if its node dies", async () => {
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", FAILS);
    await letTimePass();
    const answers = await Promise.all([breaker, other, breaker, other].map((node) => node.admit("psa-page")));
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(["admitted", "probing", "probing", "probing"]);
    expect(await stateNow()).toMatchObject({ kind: "probing" });
    await sql`UPDATE endpoints SET probe_until = clock_timestamp()`.execute(db);
    expect(await admitted("psa-page", other)).toMatchObject({ isProbe: true });
  });
});

describe("a day's quota", () => {
  const quota = async () => (await breaker.status("psa-api")).quota;

  test("is counted when a lookup starts; unused calls are returned", async () => {
    expect(await quota()).toEqual({
      limit: 10,
      isConfirmed: false,
      used: 0,
      remaining: 10,
      startedAt: null,
      resetsAt: null,
    });
    await lookUp("psa-api", WORKS, 2);
    await lookUp("psa-api", WORKS, 1);
    const { startedAt, resetsAt, ...counts } = (await quota()) ?? {};
    expect(counts).toEqual({ limit: 10, isConfirmed: false, used: 3, remaining: 7 });
    expect(Number(resetsAt) - Number(startedAt)).toBe(86_400_000);
  });

  test("is never exceeded by concurrent lookups on two nodes", async () => {
    const asked = await Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 ? breaker : other).admit("psa-api")));
    expect(asked.filter(({ kind }) => kind === "admitted")).toHaveLength(5);
    expect(asked.find(({ kind }) => kind !== "admitted")).toMatchObject({ kind: "paused", code: "quota_exhausted" });
    expect(await quota()).toMatchObject({ used: 10, remaining: 0 });
  });

  test("resets 24 hours after its first call", async () => {
    for (let n = 0; n < 5; n += 1) await lookUp("psa-api", WORKS, 2);
    expect(await stateNow("psa-api")).toMatchObject({ kind: "paused", until: (await quota())?.resetsAt });
    await sql`UPDATE endpoints SET window_started_at = window_started_at - interval '24 hours'`.execute(db);
    expect(await stateNow("psa-api")).toEqual({ kind: "open" });
    await lookUp("psa-api", WORKS, 2);
    expect(await quota()).toMatchObject({ used: 2, remaining: 8 });
  });

  test("learns limit and reset time from a 429", async () => {
    await lookUp("psa-api", WORKS, 2);
    const until = new Date(Date.now() + 3_600_000);
    const answer = await lookUp("psa-api", { kind: "quota_gone", until, limit: 6, message: "used up" }, 0);
    expect(answer).toEqual(until);
    expect(await quota()).toEqual({
      limit: 6,
      isConfirmed: true,
      used: 6,
      remaining: 0,
      startedAt: new Date(until.getTime() - 86_400_000),
      resetsAt: until,
    });
    expect(await stateNow("psa-api")).toEqual({ kind: "paused", until, code: "quota_exhausted", message: "used up" });
  });

  test("without a time in the 429, resets 24 hours after the first call", async () => {
    await lookUp("psa-api", WORKS, 2);
    await sql`UPDATE endpoints SET window_started_at = window_started_at - interval '5 hours'`.execute(db);
    const startedAt = (await quota())?.startedAt;
    const until = await lookUp("psa-api", { kind: "quota_gone", until: null, limit: null, message: "used up" }, 0);
    expect(Number(until) - Number(startedAt)).toBe(86_400_000);
    expect(await quota()).toMatchObject({ limit: 10, used: 10, remaining: 0 });
  });

  test("a repeated refusal with delay 0 lengthens the pause each time", async () => {
    const gone = async (): Promise<number> => {
      const until = await lookUp("psa-api", { kind: "quota_gone", until: new Date(), limit: null, message: "wait" }, 0);
      return Math.max(0, Math.round((Number(until) - Date.now()) / 1000));
    };
    const waits = [await gone()];
    for (let n = 0; n < 5; n += 1) {
      await letTimePass();
      waits.push(await gone());
    }
    expect(waits).toEqual([0, 1, 2, 4, 8, 16]);
  });

  test("the first lookup after it is not a probe: its failure pauses nothing", async () => {
    for (const report of [FAILS, { kind: "unclear", message: "Request timeout" }] satisfies EndpointReport[]) {
      await lookUp("psa-api", { kind: "quota_gone", until: new Date(), limit: null, message: "wait" }, 0);
      await letTimePass();
      await lookUp("psa-api", report);
      expect(await stateNow("psa-api")).toEqual({ kind: "open" });
    }
  });

  test("a probe that fails late does not shorten it", async () => {
    await lookUp("psa-api", { kind: "quota_gone", until: new Date(), limit: null, message: "wait" }, 0);
    await letTimePass();
    const probe = await admitted("psa-api");
    await sql`UPDATE endpoints SET probe_until = clock_timestamp()`.execute(db);
    const until = new Date(Date.now() + 3_600_000);
    await breaker.report(await admitted("psa-api", other), 0, {
      kind: "quota_gone",
      until,
      limit: null,
      message: "wait",
    });
    await breaker.report(probe, 1, FAILS);
    expect(await stateNow("psa-api")).toMatchObject({ kind: "paused", until, code: "quota_exhausted" });
  });

  test("an earlier call that succeeds late does not hide a 429; the probe after it does", async () => {
    const late = await admitted("psa-api");
    const until = new Date(Date.now() + 2_000);
    await lookUp("psa-api", { kind: "quota_gone", until, limit: null, message: "used up" }, 0);
    await breaker.report(late, 2, WORKS);
    expect(await stateNow("psa-api")).toMatchObject({ kind: "paused" });
    await letTimePass();
    await lookUp("psa-api", WORKS, 2);
    expect(await stateNow("psa-api")).toEqual({ kind: "open" });
  });

  test("cleared, it allows calls again and keeps its count", async () => {
    await lookUp("psa-api", WORKS, 2);
    await lookUp("psa-api", { kind: "quota_gone", until: null, limit: 10, message: "used up" }, 0);
    expect(await quota()).toMatchObject({ limit: 10, used: 10, remaining: 0 });
    await breaker.forgetQuota("psa-api");
    expect(await stateNow("psa-api")).toEqual({ kind: "open" });
    expect(await quota()).toMatchObject({ limit: 10, used: 2, remaining: 8 });
  });

  test("learned from a 429 is used for a week", async () => {
    await sql`UPDATE endpoints SET learned_limit = 4, learned_at = now() - interval '6 days'`.execute(db);
    expect(await quota()).toMatchObject({ limit: 4 });
    await sql`UPDATE endpoints SET learned_at = learned_at - interval '1 day'`.execute(db);
    expect(await quota()).toMatchObject({ limit: 10 });
    for (let n = 0; n < 5; n += 1) await lookUp("psa-api", WORKS, 2);
  });

  test("of one call a day still allows one card", async () => {
    await sql`UPDATE endpoints SET learned_limit = 1, learned_at = now()`.execute(db);
    expect(await admitted("psa-api")).toMatchObject({ reserved: 1 });
    expect(await stateNow("psa-api")).toMatchObject({ kind: "paused", code: "quota_exhausted" });
  });
});

describe("a manual pause", () => {
  const since = async (endpoint: "psa-api" | "psa-page" = "psa-page") => (await breaker.status(endpoint)).pausedAt;

  test("pauses all endpoints of the upstream on every node, and no other's, until it is resumed", async () => {
    expect([await breaker.pause("psa", "Ana Admin"), await other.pause("psa", "Ben")]).toEqual([true, false]);
    for (const endpoint of ["psa-api", "psa-page"] as const) {
      const { manualPause } = await other.status(endpoint);
      const message = `PSA was paused by Ana Admin on ${formatUtcMoment(manualPause?.at.getTime() ?? 0)} UTC`;
      expect(manualPause?.by).toBe("Ana Admin");
      expect(await other.admit(endpoint)).toEqual({ kind: "paused", until: null, code: "unavailable", message });
    }
    expect(await stateNow("cgc-page")).toEqual({ kind: "open" });
    expect((await breaker.status("psa-api")).quota).toMatchObject({ used: 0 });
    expect([await other.resume("psa"), await breaker.resume("psa")]).toEqual([true, false]);
    expect((await admitted("psa-api")).reserved).toBe(2);
  });

  test("a lookup under way is still recorded, and opens nothing", async () => {
    const underWay = await admitted("psa-api");
    await breaker.pause("psa", "Ana Admin");
    await breaker.report(underWay, 1, WORKS);
    expect((await breaker.status("psa-api")).quota).toMatchObject({ used: 1 });
    expect(await stateNow("psa-api")).toMatchObject({ kind: "paused", until: null });
  });

  test("a resume ends pauses of any kind and clears a learned limit, but not the calls", async () => {
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", FAILS);
    const until = new Date(Date.now() + 3_600_000);
    await lookUp("psa-api", { kind: "quota_gone", until, limit: 4, message: "used up" });
    expect(await breaker.resume("psa")).toBe(true);
    expect([await stateNow("psa-page"), await stateNow("psa-api")]).toEqual([{ kind: "open" }, { kind: "open" }]);
    expect((await breaker.status("psa-api")).quota).toMatchObject({ limit: 10, used: 1 });
    for (let n = 0; n < 4; n += 1) await lookUp("psa-page", FAILS);
    expect(await stateNow()).toEqual({ kind: "open" });
  });

  test("a pause extended by a failed probe keeps its start, and ends when the endpoint opens", async () => {
    expect(await since()).toBeNull();
    for (let n = 0; n < 5; n += 1) await lookUp("psa-page", FAILS);
    const began = await since();
    expect(began).toBeInstanceOf(Date);
    await letTimePass();
    await lookUp("psa-page", FAILS);
    expect(await since()).toEqual(began);
    await letTimePass();
    await lookUp("psa-page", WORKS);
    expect(await since()).toBeNull();
    await lookUp("psa-api", { kind: "quota_gone", until: new Date(Date.now() + 3_600_000), limit: null, message: "" });
    expect(await since("psa-api")).toBeInstanceOf(Date);
    await breaker.forgetQuota("psa-api");
    expect(await since("psa-api")).toBeNull();
  });
});
