import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { makeKnown, pausePrices, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import { openEndpoints, sessionOf, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";
import { ROWS_A_PORTION } from "./backlogs.repo.ts";

/* Large runs get their jobs in portions. New jobs begin at the place of their lane. */

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest({}, {}, { placesMs: 100 });
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  ana = await server.addPerson();
});
afterEach(async () => {
  server.simulator.behavior.release();
  await server.app.inject({ url: "/api/stop", headers: ana.headers });
});

let next = 61_000_000;
const MORE = 2;
/** A portion and two more cards of PSA, the first of them again, and a card of CGC. */
function largeSheet() {
  const first = next;
  next += ROWS_A_PORTION + MORE;
  const cards = Array.from({ length: ROWS_A_PORTION + MORE }, (_, n): [string, string] => [String(first + n), "PSA"]);
  return sheetOf([...cards, [String(first), "PSA"], ["1401000000501", "CGC"]], { mode: "api" });
}

async function placesOf(session: ScanSession, queue: string): Promise<number[]> {
  const { rows } = await sql<{ place: number }>`
    SELECT -priority AS place FROM jobs.job WHERE name = ${queue} AND state < 'completed'
      AND data->>'sessionId' = ${session.id} ORDER BY place`.execute(server.db);
  return rows.map(({ place }) => place);
}

async function placeOf(lane: "psa" | "tag" | "cardsiq"): Promise<number> {
  const place = server.db.selectFrom("lanes").select("place").where("name", "=", lane);
  return (await place.executeTakeFirstOrThrow()).place;
}

async function countRows(session: ScanSession, which: ReturnType<typeof sql<boolean>>): Promise<number> {
  const all = server.db.selectFrom("scan_results").where("session_id", "=", session.id);
  return (await all.where(which).select("id").execute()).length;
}

const post = (session: ScanSession, what: string) =>
  server.app.inject({ method: "POST", url: `/api/scan-sessions/${session.id}/${what}`, headers: ana.headers });
const placesUpTo = (count: number) => Array.from({ length: count }, (_, place) => place);
const LACKS_JOB = sql<boolean>`status = 'pending' AND job_id IS NULL`;

test("a large run gets its next jobs when half of a portion has started", async () => {
  for (const endpoint of ["psa-api", "cgc-api"] as const) server.simulator.behavior.hold(endpoint);
  const session = await startScan(server, ana, largeSheet());
  expect(await placesOf(session, "lookup-psa")).toEqual(placesUpTo(ROWS_A_PORTION));
  expect(await placesOf(session, "lookup-cgc")).toEqual([0]);
  // The last PSA row shares the job of the first.
  expect(await countRows(session, LACKS_JOB)).toBe(MORE);

  await sql`
    WITH started AS (
      SELECT id, job_id FROM scan_results WHERE session_id = ${session.id} AND status = 'pending' ORDER BY id
      LIMIT ${ROWS_A_PORTION / 2 + 1}
    ), gone AS (
      DELETE FROM jobs.job WHERE id IN (SELECT job_id FROM started)
    )
    UPDATE scan_results AS r SET status = 'completed', job_id = NULL FROM started WHERE r.id = started.id`.execute(
    server.db,
  );
  await expect.poll(() => countRows(session, LACKS_JOB), { timeout: 20_000 }).toBe(0);
  expect((await placesOf(session, "lookup-psa")).slice(-3)).toEqual([-1, 0, 1].map((more) => ROWS_A_PORTION + more));
});

test("a large run goes on if the row in the middle of a portion is retried", async () => {
  for (const endpoint of ["psa-api", "cgc-api"] as const) server.simulator.behavior.hold(endpoint);
  const session = await startScan(server, ana, largeSheet());
  const middle = server.db.selectFrom("job_backlogs").select("middle_row_id").where("session_id", "=", session.id);
  const { middle_row_id: middleId } = await middle.executeTakeFirstOrThrow();
  await server.db.transaction().execute(async (trx) => {
    await sql`SELECT FROM scan_sessions WHERE id = ${session.id} FOR UPDATE`.execute(trx);
    await sql`
      WITH failed AS (
        UPDATE scan_results SET status = 'error', outcome = 'unavailable', job_id = NULL WHERE id = ${middleId} RETURNING id
      )
      DELETE FROM jobs.job WHERE id = (SELECT job_id FROM scan_results WHERE id = ${middleId})`.execute(trx);
    await sql`UPDATE scan_sessions SET processed_cards = processed_cards + 1 WHERE id = ${session.id}`.execute(trx);
  });
  expect((await post(session, "retry")).statusCode).toBe(200);
  await expect.poll(() => countRows(session, LACKS_JOB), { timeout: 20_000 }).toBe(0);
});

test("a large run that was stopped begins again with its first rows", async () => {
  for (const endpoint of ["psa-api", "cgc-api"] as const) server.simulator.behavior.hold(endpoint);
  const session = await startScan(server, ana, largeSheet());
  expect((await post(session, "stop")).statusCode).toBe(200);
  expect(await countRows(session, sql<boolean>`status = 'pending' AND job_id IS NOT NULL`)).toBe(0);
  expect(await countRows(session, LACKS_JOB)).toBeGreaterThan(ROWS_A_PORTION);
  expect(await server.db.selectFrom("job_backlogs").selectAll().execute()).toEqual([]);

  expect((await post(session, "resume")).statusCode).toBe(200);
  const [last = 0, before = 0] = (await placesOf(session, "lookup-psa")).toReversed();
  expect(last - before).toBe(1);
  // The lane's place moves on with each card that has started meanwhile.
  const ahead = last - (await placeOf("psa"));
  expect(ahead).toBeLessThan(ROWS_A_PORTION);
  expect(ahead).toBeGreaterThan(ROWS_A_PORTION - 20);
});

test("if an endpoint is paused, the rows without jobs wait too, and run afterward", async () => {
  server.simulator.behavior.psaDailyQuota = 1;
  const session = await startScan(server, ana, largeSheet());
  const countWaiting = async () => (await sessionOf(server, ana, session.id)).counts.waiting ?? 0;
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(ROWS_A_PORTION + MORE - 1);
  server.simulator.behavior.renewDay();
  await sql`UPDATE endpoints SET paused_until = now(), window_started_at = window_started_at - interval '24 hours'
    WHERE name = 'psa-api'`.execute(server.db);
  await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(ROWS_A_PORTION + MORE - 2);
});

test("new and resumed runs begin at the place of the lane, which follows the started lookups", async () => {
  const { behavior } = server.simulator;
  const tagLines = (first: number) => Array.from({ length: 4 }, (_, n): [string, string] => [`X${first + n}`, "TAG"]);
  const setPlace = (place: number) => server.db.updateTable("lanes").set({ place }).where("name", "=", "tag").execute();
  behavior.hold("tag-api");
  await setPlace(500);
  const session = await startScan(server, ana, sheetOf(tagLines(1_000_000)));
  expect((await placesOf(session, "lookup-tag")).slice(-2)).toEqual([502, 503]);
  await expect.poll(() => countRows(session, sql<boolean>`claimed_at IS NOT NULL`), { timeout: 20_000 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  behavior.release("tag-api");
  await expect.poll(() => placeOf("tag"), { timeout: 20_000 }).toBeGreaterThan(500);

  behavior.hold("tag-api");
  const stopped = await startScan(server, ana, sheetOf(tagLines(2_000_000)));
  await post(stopped, "stop");
  await setPlace(900);
  await post(stopped, "resume");
  expect((await placesOf(stopped, "lookup-tag")).at(-1)).toBeGreaterThanOrEqual(902);
});

test("prices begin at the place of their lane, which follows the started requests", async () => {
  await pausePrices(server, ["cardladder", "cardsiq"], 3_600);
  const lines = pricedLines(32_000_000, 2);
  await makeKnown(server, lines);
  await server.db.updateTable("lanes").set({ place: 500 }).where("name", "=", "cardsiq").execute();
  const session = await startScan(server, ana, pricedSheet(lines));
  expect(await placesOf(session, "price-cardsiq")).toEqual([500, 501]);
  expect(await placesOf(session, "price-cardladder")).toEqual([0, 1]);

  await openEndpoints(server);
  await expect.poll(() => placeOf("cardsiq"), { timeout: 20_000 }).toBeGreaterThan(500);
});
