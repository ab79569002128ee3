import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import {
  SOURCE_NAMES,
  sourceListSchema,
  type Source,
  type SourceEndpoint,
  type SourceName,
} from "@slabdesk/contract/api/sources.ts";
import { statusSchema } from "@slabdesk/contract/api/status.ts";
import { finishPrices, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import { openEndpoints, runSheet, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";
import { SOURCE_TERMS } from "./sources.present.ts";

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest({
    TAG_API_KEY: "",
    CARDSIQ_API_KEY: "",
    PRICING_DELAY_MS: "0",
  });
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  Object.assign(server.simulator.behavior, { latencyMs: 0, psaDailyQuota: null });
  server.simulator.behavior.heal();
  server.simulator.behavior.renewDay();
  server.simulator.calls.clear();
});

let next = 61_000_000;
const newCert = (): string => String((next += 1));
const get = (url: string, { headers }: Person) => server.app.inject({ url, headers });

async function list(): Promise<Record<SourceName, Source>> {
  const answer = await get("/api/admin/sources", server.admin);
  expect(answer.statusCode, answer.body).toBe(200);
  const { sources } = sourceListSchema.parse(answer.json());
  expect(sources.map(({ name }) => name)).toEqual([...SOURCE_NAMES]);
  const of = (name: SourceName): Source => sources.find((one) => one.name === name) ?? expect.unreachable(name);
  return { psa: of("psa"), cgc: of("cgc"), tag: of("tag"), cardladder: of("cardladder"), cardsiq: of("cardsiq") };
}
function endpointOf({ endpoints }: Source, name: string): SourceEndpoint {
  return endpoints.find((endpoint) => endpoint.name === name) ?? expect.unreachable(name);
}
/** The log of calls is written beside them: a marked call that has come to the table brings all earlier ones with it. */
async function callsWritten(): Promise<void> {
  const before = await countCalls();
  await get(`/api/cgc/9999999990?forceRefresh=true`, server.admin);
  await vi.waitUntil(async () => (await countCalls()) > before, { timeout: 30_000 });
}
async function listed(): Promise<Record<SourceName, Source>> {
  await callsWritten();
  return list();
}
async function countCalls(): Promise<number> {
  const { count } = await server.db
    .selectFrom("upstream_calls")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("endpoint", "=", "cgc-page")
    .executeTakeFirstOrThrow();
  return count;
}

describe("the list of sources", () => {
  test("has each upstream's terms and, if it is off, what is missing", async () => {
    const all = await list();
    for (const name of SOURCE_NAMES) expect(all[name]).toMatchObject({ ...SOURCE_TERMS[name], manualPause: null });
    expect([all.psa.state, all.cgc.state, all.tag.state, all.cardladder.state, all.cardsiq.state]).toEqual([
      "open",
      "open",
      "open",
      "open",
      "off",
    ]);
    expect(endpointOf(all.tag, "tag-api")).toMatchObject({
      state: "off",
      message: "TAG's API is not set up: enter its credentials here, or set TAG_API_KEY",
    });
    expect(endpointOf(all.cardsiq, "cardsiq").message).toContain("CARDSIQ_API_URL and CARDSIQ_API_KEY");
    const { priceSources } = statusSchema.parse((await get("/api/status", ana)).json());
    const pricesOn = (["cardladder", "cardsiq"] as const).filter((name) => all[name].state !== "off");
    expect(pricesOn).toEqual(priceSources);
  });

  test("keeps the start of a page's pause when a probe fails", async () => {
    server.simulator.behavior.fail("psa-web", "server_error");
    const before = Date.now();
    for (let n = 0; n < 5; n += 1) await get(`/api/psa/${newCert()}`, ana);
    const { psa } = await list();
    expect(psa.state).toBe("open");
    const page = endpointOf(psa, "psa-page");
    expect(page).toMatchObject({ state: "paused", message: expect.stringContaining("PSA") as unknown });
    expect(Date.parse(page.since ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(page.until ?? "") - Date.parse(page.since ?? "")).toBe(60_000);

    const letTimePass = () =>
      sql`UPDATE endpoints SET paused_until = now() WHERE paused_until IS NOT NULL`.execute(server.db);
    await letTimePass();
    expect(endpointOf((await list()).psa, "psa-page")).toMatchObject({
      state: "probing",
      since: page.since,
      until: null,
    });
    await get(`/api/psa/${newCert()}`, ana);
    const renewed = endpointOf((await list()).psa, "psa-page");
    expect(renewed).toMatchObject({ state: "paused", since: page.since });
    expect(Date.parse(renewed.until ?? "")).toBeGreaterThan(Date.parse(page.until ?? ""));

    server.simulator.behavior.heal();
    await letTimePass();
    await get(`/api/psa/${newCert()}`, ana);
    expect(endpointOf((await list()).psa, "psa-page")).toMatchObject({
      state: "open",
      since: null,
      until: null,
      message: null,
    });
  });

  test("shows the same exhausted quota as the specified quota block", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    expect([(await get(`/api/psa-api/${newCert()}`, ana)).statusCode]).toEqual([200]);
    expect((await get(`/api/psa-api/${newCert()}`, ana)).statusCode).toBe(429);
    const { psa } = await list();
    const block = quotaStatusSchema.parse((await get("/api/psa-quota-status", server.admin)).json());
    expect(psa.quota).toEqual({
      limit: block.totalQuota,
      isConfirmed: true,
      used: block.usedToday,
      remaining: block.remainingQuota,
      resetsAt: block.limitedUntil,
    });
    expect(endpointOf(psa, "psa-api")).toMatchObject({
      state: "paused",
      until: block.limitedUntil,
      message: block.error,
    });
    expect(psa.forecast).toMatchObject({
      limit: 2,
      message: expect.stringMatching(/^The quota of 2 calls is used up/) as unknown,
    });
  });
});

describe("the last day's statistics", () => {
  beforeEach(async () => {
    await callsWritten();
    await server.db.deleteFrom("upstream_calls").execute();
  });

  test.each([
    ["83", "a web page where JSON belongs", 0],
    ["96", "another card", 0],
    ["99", "an answer that is cut short", 0],
    ["88", "nothing, which is an answer", 100],
  ])("an answer with status 200 counts by what it says: magic cert %s, %s", async (ending, _what, successRate) => {
    await get(`/api/psa-api/999999${ending}`, ana);
    await callsWritten();
    expect(endpointOf((await list()).psa, "psa-api")).toMatchObject({ callsToday: 1, successRate });
  });

  test("count failures and broken connections as unsuccessful", async () => {
    await get(`/api/psa-api/${newCert()}`, ana);
    server.simulator.behavior.fail("psa-api", "server_error");
    await get(`/api/psa-api/${newCert()}`, ana);
    server.simulator.behavior.fail("psa-api", "reset");
    await get(`/api/psa-api/${newCert()}`, ana);
    server.simulator.behavior.heal();
    server.simulator.behavior.latencyMs = 400;
    await get(`/api/psa-api/${newCert()}`, ana);
    await callsWritten();
    const api = endpointOf((await list()).psa, "psa-api");
    // Two cards took two calls each; a failure and a broken connection one each.
    expect(api).toMatchObject({ callsToday: 6, successRate: 67 });
    expect(api.p95Ms).toBeGreaterThanOrEqual(390);
    expect(api.p50Ms).toBeLessThanOrEqual(api.p95Ms ?? 0);
  });

  test("of a page blocked with status 200 and of unknown numbers: only the block is no success", async () => {
    await get(`/api/psa/99999990`, ana);
    expect(endpointOf((await listed()).psa, "psa-page")).toMatchObject({ callsToday: 1, successRate: 100 });
    server.simulator.behavior.fail("psa-web", "torn");
    for (let n = 0; n < 3; n += 1) expect((await get(`/api/psa/${newCert()}`, ana)).statusCode).toBe(502);
    expect(endpointOf((await listed()).psa, "psa-page")).toMatchObject({ callsToday: 4, successRate: 25 });
  });

  test("match a slow recount, for each endpoint and each upstream", async () => {
    const random = seeded("recount");
    const endpoints = ["psa-api", "psa-page", "tag-page", "tag-images", "cardladder", "cardladder-sign-in"] as const;
    const calls = Array.from({ length: 2_000 }, () => {
      const isAnswered = random.chance(0.9);
      return {
        endpoint: random.pick(endpoints),
        ageS: random.int(0, 30 * 3_600),
        ms: Math.floor(4_000 * random.next() ** 3),
        ending: isAnswered ? random.pick(["answered", "answered", "answered", "useless"]) : "timed_out",
        status: isAnswered ? random.pick([200, 200, 404, 403, 503]) : null,
      };
    });
    await sql`
      INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending, status)
      SELECT endpoint, now() - make_interval(secs => "ageS"), ms, ending, status
      FROM jsonb_to_recordset(${JSON.stringify(calls)}::jsonb)
        AS call (endpoint text, "ageS" integer, ms integer, ending text, status integer)`.execute(server.db);
    const stored = await server.db.selectFrom("upstream_calls").selectAll().execute();
    const all = await list();
    const now = Date.now();
    const recount = (names: readonly string[]) => {
      const ofEndpoints = stored.filter(({ endpoint }) => names.includes(endpoint));
      const day = ofEndpoints.filter(({ called_at: at }) => at.getTime() > now - 86_400_000);
      const good = day.filter(({ ending }) => ending === "answered");
      const lengths = day
        .filter(({ ending }) => ending !== "timed_out")
        .map((call) => call.duration_ms)
        .toSorted((a, b) => a - b);
      const today = new Date(now).toISOString().slice(0, 10);
      return {
        callsToday: ofEndpoints.filter(({ called_at: at }) => at.toISOString().startsWith(today)).length,
        successRate: Math.round((100 * good.length) / day.length),
        p50Ms: lengths[Math.ceil(lengths.length * 0.5) - 1],
        p95Ms: lengths[Math.ceil(lengths.length * 0.95) - 1],
      };
    };
    for (const name of ["psa", "tag", "cardladder"] as const) {
      const source = all[name];
      expect(source).toMatchObject(recount(source.endpoints.map((endpoint) => endpoint.name)));
      for (const endpoint of source.endpoints.filter((one) => endpoints.some((name) => name === one.name)))
        expect(endpoint).toMatchObject(recount([endpoint.name]));
    }
    expect(all.cgc).toMatchObject({ callsToday: 0, successRate: null, p50Ms: null, p95Ms: null });
  });

  test("name the purpose of each call: single cards, runs, and prices", async () => {
    const cert = newCert();
    await get(`/api/psa-api/${cert}`, ana);
    await runSheet(
      server,
      ben,
      sheetOf(
        [
          [newCert(), "PSA"],
          [newCert(), "PSA"],
        ],
        { mode: "scraping" },
      ),
    );
    const session = await startScan(server, ben, pricedSheet(pricedLines(63_000_000, 1)));
    await finishPrices(server, ben, session);
    await callsWritten();
    const { psa, cardladder, cgc } = await list();
    expect(psa.byPerson).toEqual([
      { userId: ben.id, fullName: "Person 2", calls: 4 },
      { userId: ana.id, fullName: "Person 1", calls: 2 },
    ]);
    expect(psa.callsToday).toBe(6);
    // The sign-in is among the calls of the one whose price needed it.
    expect(cardladder.byPerson).toEqual([{ userId: ben.id, fullName: "Person 2", calls: cardladder.callsToday }]);
    expect(cardladder.callsToday).toBeGreaterThanOrEqual(3);
    expect(cgc.byPerson).toEqual([{ userId: server.admin.id, fullName: "Administrator", calls: 1 }]);
  });

  test("say how many cards needed no call, and how many rows wait", async () => {
    const lines = Array.from({ length: 3 }, (): [string, string] => [newCert(), "PSA"]);
    const settled = async (): Promise<{ cards: number; known: number }> => {
      const { rows } = await sql<{ cards: number; known: number }>`
        SELECT count(*) AS cards, count(*) FILTER (WHERE source = 'known') AS known FROM scan_results
        WHERE grading_company = 'PSA' AND processed_at IS NOT NULL`.execute(server.db);
      return rows[0] ?? { cards: 0, known: 0 };
    };
    await runSheet(server, ana, sheetOf(lines));
    const again = await runSheet(server, ana, sheetOf(lines, { reuseKnown: true }));
    expect(again.map((row) => row.source)).toEqual(["known", "known", "known"]);
    const { cards, known } = await settled();
    expect((await list()).psa.cacheHitRate).toBe(Math.round((100 * known) / cards));
    await server.db
      .updateTable("scan_results")
      .set({ status: "waiting" })
      .where("session_id", "=", again[0]?.sessionId ?? "")
      .execute();
    expect((await list()).psa.waitingRows).toBe(3);
  });

  test("say how many prices needed no call", async () => {
    const lines = pricedLines(64_000_000, 2);
    for (const sheet of [lines, [...lines, ...lines]])
      await finishPrices(server, ben, await startScan(server, ben, pricedSheet(sheet)));
    const { rows } = await sql<{ prices: number; quotes: number }>`
      SELECT count(*) AS prices, (SELECT count(*) FROM price_quotes WHERE source = 'cardladder') AS quotes
      FROM result_prices WHERE source = 'cardladder'`.execute(server.db);
    const { prices = 0, quotes = 0 } = rows[0] ?? {};
    expect(prices).toBeGreaterThan(quotes);
    const { cardladder, cardsiq } = await list();
    expect(cardladder.cacheHitRate).toBe(Math.round((100 * (prices - quotes)) / prices));
    expect(cardsiq.cacheHitRate).toBeNull();
  });
});
