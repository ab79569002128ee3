import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
  let activity: ActivityService;
  let reports: string[];

  let ana: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = openDatabase(openPool(database.settings, (error) => expect.unreachable(error.message), 4));
  });
  afterAll(async () => {
    await db.destroy();
    await database.end();
  });
  beforeEach(async () => {
    ana = randomUUID();
    await db
      .insertInto("user_profiles")
      .values({ id: ana, email: `${ana}@example.com`, full_name: "Ana" })
      .execute();
    reports = [];
    const log = pino({ level: "error" }, { write: (line: string) => void reports.push(line) });
    activity = createActivityService({ db, log, now: () => new Date() });
  });

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
    for (const n of numbers(100)) void note(n);
    await activity.written();
    expect(await descriptions()).toEqual(numbers(100));
  });

  test("reports what the database refuses and continues with the rest", async () => {
    const unlock = await lockLog(db);
    for (const n of numbers(7)) void note(n, n === "3" ? "nobody" : ana);
    await unlock();
    await activity.written();
    expect(await descriptions()).toEqual(["0", "1", "2", "4", "5", "6"]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain("Failed to store an activity");
    expect(reports[0]).toContain(`"user_id":"nobody","activity_type":"navigation"`);
  });
});
