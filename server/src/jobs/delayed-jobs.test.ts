import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { createJobs, listPeopleWithJobs, type Jobs } from "./jobs.ts";

let database: TestDatabase;
let db: Database;
let jobs: Jobs;
const report = (error: Error): never => {
  throw error;
};
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.settings, report));
  jobs = createJobs(database.settings, report, { jobsMs: 600_000, deadJobsMs: 60_000, imageJobsMs: 60_000 });
  await jobs.start();
});
afterAll(async () => {
  await jobs.stop(1_000);
  await db.destroy();
  await database.end();
});

test("delayed jobs move up to the lane's place, and their person still needs the lane", async () => {
  const jobsOf = (userId: string, places: number[]) =>
    places.map((place) => ({ id: randomUUID(), queue: "lookup-tag" as const, sessionId: randomUUID(), place, userId }));
  await db.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, [...jobsOf("ana", [10, 11, 12, 50]), ...jobsOf("ben", [10, 40])]);
  });
  await db.updateTable("lanes").set({ place: 30 }).where("name", "=", "tag").execute();
  expect((await listPeopleWithJobs(db, "tag")).toSorted()).toEqual(["ana", "ben"]);
  expect(await listPeopleWithJobs(db, "cgc")).toEqual([]);

  await jobs.delay(db, "lookup-tag", "ana", 15_000);
  const { rows } = await sql`
    SELECT group_id AS person, -priority AS place, start_after > now() + interval '10 seconds' AS "isDelayed" FROM jobs.job
    WHERE name = 'lookup-tag' ORDER BY person, place`.execute(db);
  expect(rows).toEqual([
    ...[30, 31, 32, 50].map((place) => ({ person: "ana", place, isDelayed: true })),
    ...[10, 40].map((place) => ({ person: "ben", place, isDelayed: false })),
  ]);
  expect((await listPeopleWithJobs(db, "tag")).toSorted()).toEqual(["ana", "ben"]);
});

test("delayed jobs that are ahead of the lane's place keep theirs", async () => {
  const job = { id: randomUUID(), queue: "lookup-cgc" as const, sessionId: randomUUID(), place: 7, userId: "ana" };
  await db.transaction().execute((trx) => jobs.enqueue(trx, [job]));
  await jobs.delay(db, "lookup-cgc", "ana", 15_000);
  const { rows } = await sql`SELECT -priority AS place FROM jobs.job WHERE id = ${job.id}`.execute(db);
  expect(rows).toEqual([{ place: 7 }]);
});

test("a worker that polls rarely fetches a delayed job when it is due", async () => {
  const job = { id: randomUUID(), queue: "lookup-psa" as const, sessionId: randomUUID(), place: 1, userId: "ana" };
  await db.transaction().execute((trx) => jobs.enqueue(trx, [job]));
  await jobs.delay(db, "lookup-psa", "ana", 2_000);
  const ran = new Promise<string>((resolve) => {
    void jobs.workLookups("lookup-psa", { width: 1, delayMs: 1_000 }, async ({ id }) => {
      resolve(id);
      return "done";
    });
  });
  expect(await ran).toBe(job.id);
});

test("a person with a PSA retry needs the lane only when it is due", async () => {
  const retry = { sessionId: randomUUID(), place: 1, userId: "ben" };
  await db.transaction().execute((trx) => jobs.enqueueRetry(trx, { ...retry, delayS: 60 }));
  expect(await listPeopleWithJobs(db, "psa")).toEqual([]);
  await db.transaction().execute((trx) => jobs.enqueueRetry(trx, { ...retry, delayS: 0 }));
  expect(await listPeopleWithJobs(db, "psa")).toEqual(["ben"]);
});
