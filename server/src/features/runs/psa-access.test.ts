import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Person } from "../../testing/test-server.ts";
import {
  finish,
  followUntil,
  openEndpoints,
  runSheet,
  sessionOf,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

/* What a new PSA account meets: no approval, a token that PSA doesn't recognize, and very few calls. */

let server: ScanTest;
let admin: Person;
beforeAll(async () => {
  server = await startScanTest();
  admin = await server.addPerson("admin");
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await server.app.inject({ url: "/api/stop", headers: admin.headers });
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.behavior.psaDailyQuota = null;
  server.simulator.behavior.renewDay();
  server.simulator.calls.clear();
});

let next = 43_000_000;
/** Certificates that no other test uses. */
function linesOf(count: number): [string, "PSA"][] {
  next += count;
  return Array.from({ length: count }, (_, n) => [String(next - count + n), "PSA"]);
}
const apiOnly = { mode: "api" as const };
const apiCalls = () => server.simulator.calls.total("psa-api");
const outcomesOf = (rows: readonly ResultRow[]) => rows.map(({ status, outcome, source }) => [status, outcome, source]);

async function ask(url: string, method: "GET" | "POST" = "GET") {
  const answer = await server.app.inject({ method, url, headers: admin.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer;
}
async function untilWaiting(session: ScanSession, count: number): Promise<ScanSession> {
  await followUntil(server, admin, session.id, (event) => event.session.counts.waiting === count);
  return sessionOf(server, admin, session.id);
}

// First: no earlier look-up may have shown that PSA recognizes the token.
test("a used-up quota of a token that never worked may mean that PSA doesn't recognize it", async () => {
  server.simulator.behavior.fail("psa-api", "quota");
  const session = await untilWaiting(await startScan(server, admin, sheetOf(linesOf(2), apiOnly)), 2);
  const doubt = "PSA's limit of 100 API calls per day is used up, or PSA doesn't recognize the token";
  expect(session.waits).toMatchObject([{ count: 2, message: doubt }]);
  expect((await ask("/api/psa-quota-status")).json()).toMatchObject({
    totalQuota: 100,
    isConfirmed: true,
    error: doubt,
  });

  server.simulator.behavior.heal();
  await ask("/api/admin/sources/psa/open", "POST");
  await finish(server, admin, session);
  expect((await ask("/api/psa-quota-status")).json()).toMatchObject({ totalQuota: 2500, isConfirmed: false });
  server.simulator.behavior.fail("psa-api", "quota");
  const later = await untilWaiting(await startScan(server, admin, sheetOf(linesOf(1), apiOnly)), 1);
  expect(later.waits).toMatchObject([{ message: "PSA's limit of 100 API calls per day is used up" }]);
});

test("an account without approval is asked once, and again only after an administrator opens PSA", async () => {
  server.simulator.behavior.fail("psa-api", "not_approved");
  const rows = await runSheet(server, admin, sheetOf(linesOf(1), apiOnly));
  expect(rows[0]?.error).toContain("has not approved our account (403). Ask collectors-apis@collectors.com for access");
  for (const mode of ["api", "api-with-fallback"] as const)
    expect(outcomesOf(await runSheet(server, admin, sheetOf(linesOf(2), { mode })))).toEqual(
      mode === "api" ? Array(2).fill(["error", "forbidden", null]) : Array(2).fill(["completed", "found", "page"]),
    );
  expect(apiCalls()).toBe(1);
  const { sources } = (await ask("/api/admin/sources")).json();
  expect(sources[0].endpoints[0]).toMatchObject({ state: "paused", until: null });

  server.simulator.behavior.heal();
  await ask("/api/admin/sources/psa/open", "POST");
  expect(outcomesOf(await runSheet(server, admin, sheetOf(linesOf(1), apiOnly)))).toEqual([
    ["completed", "found", "api"],
  ]);
});
