import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import { embeddedInstallation, VICTIMS, type Installation } from "./testing/installation.ts";
import { killServersLeft } from "./testing/server-process.ts";
import { ADMIN_SETTINGS, signIn } from "./testing/survival-client.ts";
import { calmSheet } from "./testing/survival-sheet.ts";

/*
 * Uploads that are killed with -9 on their way: a sheet is there wholly or not at all, and sent again with the same
 * Idempotency-Key it is there once.
 */

const { CRASH_SEED: seed = randomBytes(4).toString("hex"), CRASH_KILLS = "6" } = process.env;
const ROWS = 300;
const ROUNDS = Math.ceil(Number(CRASH_KILLS) / 3);
/** An upload of this size takes some 100 ms. */
const MOMENT_MS = 150;

/** Nothing is looked up while the uploads are counted. */
const SETTINGS = { ...ADMIN_SETTINGS, ROLE: "web", CARD_DELAY_MS: "600000" };

afterAll(killServersLeft);

const storedSchema = z.array(z.object({ id: z.string(), rows: z.number(), jobs: z.number() }));

/** The sessions that a key has made, with their rows and jobs; and rows and jobs of no session at all. */
async function storedUnder(installation: Installation, key: string) {
  return storedSchema.parse(
    await installation.query(
      `SELECT id::text, (SELECT count(*)::int FROM scan_results WHERE session_id = s.id) AS rows,
         (SELECT count(*)::int FROM jobs.job WHERE data->>'sessionId' = s.id::text) AS jobs
       FROM scan_sessions AS s WHERE idempotency_key = $1
       UNION ALL
       SELECT 'nobody', (SELECT count(*)::int FROM scan_results WHERE session_id NOT IN (SELECT id FROM scan_sessions)),
         (SELECT count(*)::int FROM jobs.job
           WHERE data->>'sessionId' NOT IN (SELECT id::text FROM scan_sessions))`,
      [key],
    ),
  );
}

const NOBODYS = { id: "nobody", rows: 0, jobs: 0 };

async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  const simulator = await startSimulator({ hasPlainPictures: true });
  const installation = await embeddedInstallation({ ...SETTINGS, ...simulator.settings });
  try {
    await work(installation);
  } finally {
    await installation.remove();
    await simulator.close();
  }
}

test.concurrent("an upload that is killed before it is whole leaves nothing behind", { timeout: 120_000 }, async () => {
  await withInstallation(async (installation) => {
    const client = await signIn(installation.origin());
    const { sheet } = calmSheet(ROWS, seeded(seed));
    for (const victim of VICTIMS) {
      const release = await lockTotals(installation, client.userId);
      const cut = expect(client.upload(installation.origin(), sheet, victim)).rejects.toThrow();
      await vi.waitUntil(() => isWaitingForLock(installation), { timeout: 20_000, interval: 20 });
      await installation.kill(victim);
      await cut;
      await release();
      await installation.recover();
      expect(await storedUnder(installation, victim)).toEqual([NOBODYS]);

      const stored = await client.upload(installation.origin(), sheet, victim);
      expect(stored.status).toBe(201);
      expect(await storedUnder(installation, victim)).toEqual([{ id: stored.id, rows: ROWS, jobs: ROWS }, NOBODYS]);
    }
  });
});

test(
  `an upload killed at any moment is there once when it is sent again (seed ${seed})`,
  {
    timeout: 60_000 + ROUNDS * 30_000,
  },
  async () => {
    await withInstallation(async (installation) => {
      const random = seeded(seed);
      const client = await signIn(installation.origin());
      const { sheet } = calmSheet(ROWS, random);
      for (let round = 0; round < ROUNDS; round += 1) {
        const key = `round ${round}`;
        const sent = client.upload(installation.origin(), sheet, key).catch(() => null);
        await sleep(random.next() * MOMENT_MS);
        await installation.kill(random.pick(VICTIMS));
        const before = await sent;
        await installation.recover();
        const [first = NOBODYS] = await storedUnder(installation, key);
        expect([0, ROWS]).toContain(first.rows);
        if (before) expect(first.id).toBe(before.id);

        const again = await client.upload(installation.origin(), sheet, key);
        expect(again.status).toBe(first.rows === 0 ? 201 : 200);
        if (first.rows > 0) expect(again.id).toBe(first.id);
        expect(await storedUnder(installation, key)).toEqual([{ id: again.id, rows: ROWS, jobs: ROWS }, NOBODYS]);
      }
    });
  },
);

/**
 * Holds a user's totals, which an upload changes when its rows are in and its jobs are not: it waits there, in
 * mid-transaction, for as long as the lock is held. Those who only refer to the user do not wait.
 */
async function lockTotals(installation: Installation, userId: string): Promise<() => Promise<void>> {
  const client = new pg.Client(installation.address);
  // The database may be killed under it.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM user_profiles WHERE id = $1 FOR NO KEY UPDATE", [userId]);
  return () => client.end();
}

async function isWaitingForLock(installation: Installation): Promise<boolean> {
  const waiting = await installation.query(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE '%user_profiles%'",
    [],
  );
  return waiting.length > 0;
}
