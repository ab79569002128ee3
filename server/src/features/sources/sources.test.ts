import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { quotaStatusSchema, type QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { openEndpoints, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

let server: ScanTest;
beforeAll(async () => {
  server = await startScanTest();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.behavior.psaDailyQuota = null;
  server.simulator.behavior.renewDay();
  server.simulator.calls.clear();
});

const DAY_MS = 86_400_000;
const STATUS_URL = "/api/psa-quota-status?forceRefresh=true&t=1732200000000";

async function quota(of: ScanTest = server): Promise<QuotaStatus> {
  const answer = await of.app.inject({ url: STATUS_URL, headers: of.admin.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return quotaStatusSchema.parse(answer.json());
}
async function resetQuota(): Promise<QuotaStatus> {
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/reset-quota-cache",
    headers: server.admin.headers,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return quotaStatusSchema.parse(answer.json());
}

let next = 47_000_000;
/** Calls PSA's API for a certificate that no other test uses; returns the HTTP status. */
async function lookUp(): Promise<number> {
  next += 1;
  return (await server.app.inject({ url: `/api/psa-api/${next}`, headers: server.admin.headers })).statusCode;
}

describe("PSA's quota info", () => {
  test("has every specified field, and the full quota before the first call", async () => {
    const before = Date.now();
    const { lastUpdated, ...status } = await quota();
    expect(status).toEqual({
      remainingQuota: 2500,
      totalQuota: 2500,
      isConfirmed: false,
      lastReset: null,
      usedToday: 0,
      noAccess: false,
      error: null,
      limitedUntil: null,
    });
    expect(Date.parse(lastUpdated)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(lastUpdated)).toBeLessThanOrEqual(Date.now());
  });

  test("counts a card's calls from the first one, and makes none itself", async () => {
    const before = Date.now();
    expect(await lookUp()).toBe(200);
    const status = await quota();
    expect(server.simulator.calls.total("psa-api")).toBe(2);
    expect(status).toMatchObject({ remainingQuota: 2498, usedToday: 2, error: null });
    expect(Date.parse(status.lastReset ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(status.lastReset ?? "")).toBeLessThanOrEqual(Date.now());
  });

  test("counts failed calls, too, and none of the page", async () => {
    server.simulator.behavior.fail("psa-api", "server_error");
    expect(await lookUp()).toBe(502);
    const page = await server.app.inject({ url: "/api/psa/01020688", headers: server.admin.headers });
    expect(page.statusCode).toBe(200);
    expect(await quota()).toMatchObject({ remainingQuota: 2499, usedToday: 1, error: null });
  });

  test("resets 24 hours after its first call", async () => {
    await lookUp();
    await sql`UPDATE endpoints SET window_started_at = now() - interval '24 hours' WHERE name = 'psa-api'`.execute(
      server.db,
    );
    expect(await quota()).toMatchObject({ remainingQuota: 2500, usedToday: 0, lastReset: null });
  });

  test("reports the limit and reset time that PSA's 429 gave", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    expect([await lookUp(), await lookUp()]).toEqual([200, 429]);
    const { limitedUntil, lastReset, ...status } = await quota();
    expect(status).toMatchObject({
      remainingQuota: 0,
      totalQuota: 2,
      usedToday: 2,
      noAccess: false,
      error: "PSA's limit of 2 API calls per day is used up",
    });
    expect(Date.parse(limitedUntil ?? "") - Date.parse(lastReset ?? "")).toBe(DAY_MS);
    expect(Date.parse(limitedUntil ?? "")).toBeGreaterThan(Date.now());
  });

  test("says why PSA's API is paused for another reason, and keeps the quota", async () => {
    server.simulator.behavior.fail("psa-api", "refused");
    for (let n = 0; n < 5; n += 1) expect(await lookUp()).toBe(502);
    expect(await quota()).toMatchObject({
      remainingQuota: 2495,
      usedToday: 5,
      error: expect.stringMatching(/^PSA rejected our API credentials/),
      limitedUntil: null,
    });
  });

  test("says that there is no access without a token", async () => {
    const without = await startScanTest({ PSA_API_TOKEN: "" });
    try {
      const card = await without.app.inject({ url: "/api/psa-api/01020688", headers: without.admin.headers });
      expect(card.statusCode).toBe(503);
      expect(await quota(without)).toMatchObject({ noAccess: true, usedToday: 0, lastReset: null, error: null });
    } finally {
      await without.closeAll();
    }
  });
});

describe("resetting the quota cache", () => {
  test("returns a fresh status: the limit is forgotten, the calls are kept, and the next card calls PSA", async () => {
    server.simulator.behavior.psaDailyQuota = 2;
    expect([await lookUp(), await lookUp()]).toEqual([200, 429]);
    server.simulator.behavior.psaDailyQuota = null;
    const { lastUpdated, ...reset } = await resetQuota();
    expect(reset).toMatchObject({
      remainingQuota: 2498,
      totalQuota: 2500,
      usedToday: 2,
      error: null,
      limitedUntil: null,
    });
    const { lastUpdated: later, ...after } = await quota();
    expect(after).toEqual(reset);
    expect(later >= lastUpdated).toBe(true);
    expect(await lookUp()).toBe(200);
    expect((await quota()).usedToday).toBe(4);
    await server.activityWritten();
    const logged = server.db.selectFrom("user_activity_logs").select("description");
    expect(await logged.where("activity_type", "=", "source_changed").execute()).toContainEqual({
      description: "Cleared the daily limit of PSA",
    });
  });

  test("opens no endpoint that is paused for another reason", async () => {
    server.simulator.behavior.fail("psa-api", "refused");
    for (let n = 0; n < 5; n += 1) await lookUp();
    const { error } = await quota();
    expect(error).not.toBeNull();
    expect((await resetQuota()).error).toBe(error);
  });
});

test("both are for administrators only", async () => {
  const user = await server.addPerson();
  for (const [method, url] of [
    ["GET", STATUS_URL],
    ["POST", "/api/reset-quota-cache"],
  ] as const) {
    const refused = await server.app.inject({ method, url, headers: user.headers });
    expect([refused.statusCode, errorBodySchema.parse(refused.json()).code]).toEqual([403, "not_allowed"]);
    const stranger = await server.app.inject({ method, url });
    expect([stranger.statusCode, errorBodySchema.parse(stranger.json()).code]).toEqual([401, "unauthorized"]);
  }
});
