import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { activityListSchema } from "@slabdesk/contract/api/activity.ts";
import { openDatabase, openPool, type Database } from "../../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import { createActivityService, type ActivityService } from "./activity.service.ts";

/** Locks the log for all readers and writers until it is released. */
async function lockLog(db: Database): Promise<() => Promise<unknown>> {
  const lock = await db.startTransaction().execute();
  await sql`LOCK TABLE user_activity_logs IN ACCESS EXCLUSIVE MODE`.execute(lock);
  return () => lock.rollback().execute();
}

describe("while the log is locked", () => {
  let test_: ScanTest;
  beforeAll(async () => {
    test_ = await startScanTest({ CARD_DELAY_MS: "60000" });
  });
  afterAll(() => test_.closeAll());

  test("people can sign in, start, and stop, and the entries follow in order with the original times", async () => {
    const ana = await test_.addPerson();
    await test_.activityWritten();
    const unlock = await lockLog(test_.db);
    const before = Date.now();
    let after: number;
    try {
      await test_.signIn(ana);
      // The second card waits for its delay, so the run still goes on when it is stopped.
      const session = await startScan(
        test_,
        ana,
        sheetOf([
          ["98174651", "PSA"],
          ["01020688", "PSA"],
        ]),
      );
      const stop = { method: "POST", url: `/api/scan-sessions/${session.id}/stop`, headers: ana.headers } as const;
      expect((await test_.app.inject(stop)).statusCode).toBe(200);
      after = Date.now();
    } finally {
      await unlock();
    }
    const url = `/api/admin/activity?userId=${ana.id}&limit=4`;
    const answer = await test_.app.inject({ url, headers: test_.admin.headers });
    const { activity } = activityListSchema.parse(answer.json());
    expect(activity.map(({ activityType }) => activityType)).toEqual([
      "scan_stopped",
      "scan_started",
      "scan_session_created",
      "login",
    ]);
    for (const { timestamp } of activity) {
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(timestamp)).toBeLessThanOrEqual(after);
    }
    expect(test_.errors).toEqual([]);
  });
});

describe("a node's activity log", () => {
  let database: TestDatabase;
  let db: Database;
  let pool: pg.Pool;
  let activity: ActivityService;
  let reports: string[];

  let ana: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database.settings, (error) => expect.unreachable(error.message), 4);
    db = openDatabase(pool);
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    ana = randomUUID();
    await db
      .insertInto("user_profiles")
      .values({ id: ana, email: `${ana}@example.com`, full_name: "Ana" })
      .execute();
    reports = [];
    const log = pino({ level: "error" }, { write: (line: string) => void reports.push(line) });
    activity = createActivityService({ db, pool, log, now: () => new Date() });
  });
  afterEach(() => activity.close());

  const note = (description: string, userId = ana) => activity.log(userId, "navigation", description);
  const descriptions = async (): Promise<string[]> => {
    const rows = await db
      .selectFrom("user_activity_logs")
      .select("description")
      .where("user_id", "=", ana)
      .orderBy("id")
      .execute();
    return rows.map(({ description }) => description);
  };
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

  test("keeps the order of the actions, awaited or not", async () => {
    for (const n of numbers(1000)) void note(n);
    await activity.written();
    expect(await descriptions()).toEqual(numbers(1000));
  });

  test("reports what the database refuses and continues with the rest", async () => {
    const unlock = await lockLog(db);
    for (const n of numbers(7)) void note(n, n === "3" ? "nobody" : ana);
    await unlock();
    await activity.written();
    expect(await descriptions()).toEqual(["0", "1", "2", "4", "5", "6"]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain("Failed to store an activity");
    expect(reports[0]).toContain(`"userId":"nobody","activityType":"navigation"`);
  });

  test("is written later if the database is unavailable, each entry once", async () => {
    await sql`ALTER TABLE user_activity_logs RENAME TO gone`.execute(db);
    void note("first");
    await activity.written();
    expect(reports.join()).toContain("Failed to write the activity log; retrying");
    await sql`ALTER TABLE gone RENAME TO user_activity_logs`.execute(db);
    void note("second");
    await vi.waitUntil(async () => (await descriptions()).length > 0, { timeout: 20_000 });
    await activity.written();
    expect(await descriptions()).toEqual(["first", "second"]);
  });

  test("does not repeat a statement whose answer was lost", async () => {
    const now = new Date();
    const breaking = openPool(database.settings, () => {}, 1);
    const log = pino({ level: "error" }, { write: (line: string) => void reports.push(line) });
    const noting = createActivityService({ db, pool: breaking, log, now: () => now });
    // As if the statement had succeeded.
    const at = {
      user_id: ana,
      activity_type: "navigation",
      description: "once",
      metadata: "{}",
      timestamp: now,
    } as const;
    await db.insertInto("user_activity_logs").values(at).execute();
    await sql`
      CREATE FUNCTION break_connection() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`.execute(db);
    await sql`
      CREATE TRIGGER break_connection AFTER INSERT ON user_activity_logs FOR EACH STATEMENT
      EXECUTE FUNCTION break_connection()`.execute(db);
    void noting.log(ana, "navigation", "once");
    await noting.written();
    expect(reports.join()).toContain("Failed to write the activity log; retrying");
    await sql`DROP TRIGGER break_connection ON user_activity_logs`.execute(db);
    await noting.close();
    await breaking.end();
    expect(reports.join()).not.toContain("Failed to store an activity");
    expect(await descriptions()).toEqual(["once"]);
  });

  test("is bounded, and reports dropped entries", async () => {
    const unlock = await lockLog(db);
    const long = "x".repeat(3_000_000);
    for (const n of numbers(4)) void note(n + long);
    await unlock();
    await activity.written();
    expect((await descriptions()).map((description) => description.slice(0, 1))).toEqual(["0", "1"]);
    expect(reports).toHaveLength(2);
    expect(reports.join()).toContain("2 entries are already waiting to be written");
  });

  test("is written completely before the server stops", async () => {
    for (const n of numbers(500)) void note(n);
    await activity.close();
    expect(await descriptions()).toHaveLength(500);
  });

  test("is abandoned with a log line if the database hangs while the server stops", async () => {
    const unlock = await lockLog(db);
    void note("first");
    void note("second");
    await activity.close();
    expect(reports.join()).toContain("The server stopped before the entry was written");
    // The connection is returned although the lock remains, so no other shutdown waits for it.
    await vi.waitUntil(() => pool.totalCount - pool.idleCount === 1, { timeout: 20_000 });
    await unlock();
  });
});
