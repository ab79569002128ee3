import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase, openPool, type Database } from "../../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { findWeek } from "./sources.repo.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.settings, (error) => expect.unreachable(error.message)));
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});
beforeEach(async () => {
  await sql`TRUNCATE upstream_calls, upstream_call_days`.execute(db);
});

async function addCalls(hoursAgo: readonly number[], { status = 200, endpoint = "psa-api" } = {}): Promise<void> {
  await sql`
    INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending, status)
    SELECT ${endpoint}, now() - make_interval(secs => hours * 3600), 10, 'answered', ${status}
    FROM unnest(${hoursAgo}::float8[]) AS hours`.execute(db);
}
const callsOf = (week: { callsByHour: readonly number[] }): number =>
  week.callsByHour.reduce((sum, calls) => sum + calls, 0);

test.each<[what: string, hoursAgo: number[], days: number, calls: number]>([
  ["no call", [], 1, 0],
  ["less than a day is one day", [3, 1], 1, 2],
  ["a first week by the hour", [36, 20, 1], 1.5, 3],
  ["a first week that is nearly over", [6.9 * 24, 1], 6.9, 2],
  ["a call of the same day as the first of the week, and before it", [7 * 24 + 0.001, 1], 7, 1],
  ["calls of long ago, and a pause since", [30 * 24, 12], 7, 1],
])("the days with calls of the last week: %s", async (_what, hoursAgo, days, calls) => {
  await addCalls(hoursAgo);
  await addCalls([50 * 24], { endpoint: "psa-page" });
  const week = await findWeek(db, "psa-api");
  expect(week.days).toBeCloseTo(days, 2);
  expect(callsOf(week)).toBe(calls);
});

test("calls refused for lack of quota do not count, but date the first call", async () => {
  await addCalls([48], { status: 429 });
  await addCalls([1]);
  const week = await findWeek(db, "psa-api");
  expect([week.days, callsOf(week)]).toEqual([expect.closeTo(2, 2), 1]);
});
