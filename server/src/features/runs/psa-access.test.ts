import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
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

/* What a new PSA account meets: no approval, a token that PSA doesn't recognize, and very few calls. */

let server: ScanTest;
let admin: Person;
beforeAll(async () => {
  server = await startScanTest({}, {}, { lateImagesMs: 100 });
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
  await server.db.updateTable("cached_certs").set({ images_due_at: null }).execute();
});

let next = 43_000_000;
/** Certificates that no other test uses. */
function linesOf(count: number): [string, "PSA"][] {
  next += count;
  return Array.from({ length: count }, (_, n) => [String(next - count + n), "PSA"]);
}
const apiOnly = { mode: "api" as const };
const apiCalls = () => server.simulator.calls.total("psa-api");
const paths = () =>
  server.simulator.calls
    .list()
    .filter(({ endpoint }) => endpoint === "psa-api")
    .map(({ path }) => path.split("/").slice(-2).join(" "));
const hasImage = (row: ResultRow): boolean => row.imageUrl?.startsWith("http") ?? false;
async function setLimit(limit: number): Promise<void> {
  server.simulator.behavior.psaDailyQuota = limit;
  await sql`UPDATE endpoints SET learned_limit = ${limit}, learned_at = now() WHERE name = 'psa-api'`.execute(
    server.db,
  );
}
async function beginNextDay(): Promise<void> {
  server.simulator.behavior.renewDay();
  server.simulator.calls.clear();
  await sql`UPDATE endpoints SET window_started_at = now() - interval '24 hours', paused_until = now()
    WHERE name = 'psa-api'`.execute(server.db);
  await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
}
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

// First: no earlier lookup may have shown that PSA recognizes the token.
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
  for (const [mode, outcome] of [
    ["api", ["error", "forbidden", null]],
    ["api-with-fallback", ["completed", "found", "page"]],
  ] as const)
    expect(outcomesOf(await runSheet(server, admin, sheetOf(linesOf(2), { mode })))).toEqual([outcome, outcome]);
  expect(apiCalls()).toBe(1);
  const { sources } = (await ask("/api/admin/sources")).json();
  expect(sources[0].endpoints[0]).toMatchObject({ state: "paused", until: null });

  server.simulator.behavior.heal();
  await ask("/api/admin/sources/psa/open", "POST");
  expect(outcomesOf(await runSheet(server, admin, sheetOf(linesOf(1), apiOnly)))).toEqual([
    ["completed", "found", "api"],
  ]);
});

const LATER = "The images are fetched later: PSA's API calls are used for certificates first";

test("few calls are used for certificates; images come when no certificate waits and calls are left", async () => {
  await setLimit(6);
  const lines = linesOf(7);
  const [first, last] = [lines[0]?.[0], lines[6]?.[0]];
  const sheet = sheetOf(lines, { ...apiOnly, reuseKnown: true });
  const session = await untilWaiting(await startScan(server, admin, sheet), 1);
  expect(session.counts).toEqual({ completed: 6, waiting: 1 });
  const kept = await rowsOf(server, admin, session.id);
  expect(kept.slice(0, 6).map((row) => [hasImage(row), row.notes])).toEqual(
    Array.from({ length: 6 }, () => [false, LATER]),
  );
  expect(paths()).toEqual(lines.slice(0, 6).map(([certNumber]) => `GetByCertNumber ${certNumber}`));

  await beginNextDay();
  await finish(server, admin, session);
  await expect.poll(async () => (await rowsOf(server, admin, session.id)).filter(hasImage).length).toBe(2);
  expect(paths()).toEqual([
    `GetByCertNumber ${last}`,
    `GetImagesByCertNumber ${last}`,
    `GetImagesByCertNumber ${first}`,
  ]);
  const [row] = await rowsOf(server, admin, session.id);
  expect(row).toMatchObject({ notes: "", imageUrl: expect.stringContaining("/psa-images/") as unknown });
  const again = await runSheet(server, admin, sheet);
  expect(again.map((known) => [known.source, hasImage(known)])).toEqual(
    again.map((_row, index) => ["known", index === 0 || index === 6]),
  );
});

test("with one call a day a card is kept without images, and the others wait although the page is walled", async () => {
  server.simulator.behavior.psaDailyQuota = 1;
  server.simulator.behavior.fail("psa-web", "bot_wall");
  const session = await untilWaiting(await startScan(server, admin, sheetOf(linesOf(3))), 2);
  expect(session.counts).toEqual({ completed: 1, waiting: 2 });
  expect((await rowsOf(server, admin, session.id))[0]).toMatchObject({ outcome: "found", notes: LATER });
  await beginNextDay();
  await followUntil(server, admin, session.id, (event) => event.session.counts.completed === 2);
  const { counts, waits } = await untilWaiting(session, 1);
  expect(counts).toEqual({ completed: 2, waiting: 1 });
  expect(waits).toMatchObject([
    { outcome: "quota_exhausted", message: "PSA's limit of 1 API call per day is used up" },
  ]);
  expect(paths()).toHaveLength(1);
});

test("images that fail twice are given up; the card is kept", async () => {
  const sheet = sheetOf([["99999985", "PSA"]], { ...apiOnly, reuseKnown: true });
  const [row] = await runSheet(server, admin, sheet);
  expect(row).toMatchObject({ outcome: "found", notes: "The images could not be fetched: PSA returned 500" });
  await sql`UPDATE cached_certs SET images_due_at = now() WHERE cert_number = '99999985'`.execute(server.db);
  const dates = server.db.selectFrom("cached_certs").select("images_due_at").where("cert_number", "=", "99999985");
  await expect.poll(async () => (await dates.executeTakeFirstOrThrow()).images_due_at).toBeNull();
  expect((await runSheet(server, admin, sheet))[0]).toMatchObject({ source: "known", notes: row?.notes });
  // The images of an earlier test may still be fetched.
  expect(server.simulator.calls.count({ endpoint: "psa-api", cert: "99999985" })).toBe(3);
});

test("an autograph without a card is found, and no card price is fetched for it", async () => {
  const lines: [string, "PSA"][] = [["99999958", "PSA"], ...linesOf(1)];
  const [autograph, card] = await runSheet(server, admin, sheetOf(lines, { ...apiOnly, includePricing: true }));
  expect(autograph).toMatchObject({ outcome: "found", grade: "GEM MT 10", brand: "PSA/DNA" });
  expect(autograph?.prices.cardladder.state).toBeNull();
  expect(card?.prices.cardladder.state).not.toBeNull();
  expect(server.simulator.calls.count({ endpoint: "cardladder", cert: "99999958" })).toBe(0);
});
