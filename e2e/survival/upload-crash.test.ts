import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { amount, isLongForm } from "../../scripts/test-form.ts";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { embeddedInstallation, VICTIMS, type Installation, type Victim } from "./testing/installation.ts";
import { killServersLeft } from "./testing/server-process.ts";
import { ADMIN_SETTINGS, signIn, type SurvivalClient } from "./testing/survival-client.ts";
import { calmSheet } from "./testing/survival-sheet.ts";

/*
 * Uploads killed with -9: a sheet is stored completely or not at all, and sent again with the same Idempotency-Key it is
 * stored once.
 */

const { CRASH_SEED: seed = randomBytes(4).toString("hex"), CRASH_KILLS } = process.env;
const ROWS = 300;
const ROUNDS = Math.ceil(Number(CRASH_KILLS ?? amount({ short: 1, long: 50 })) / 3);
/** All of them in the long form, a random one in the short form. */
const victims: Victim[] = isLongForm ? [...VICTIMS] : [seeded(`${seed} victim`).pick(VICTIMS)];
/** An upload of this size takes about 100 ms. */
const MOMENT_MS = 150;

/** Nothing is looked up while the uploads are counted. */
const SETTINGS = { ...ADMIN_SETTINGS, ROLE: "web", CARD_DELAY_MS: "600000" };

let simulator: Simulator;
let installation: Installation;
let client: SurvivalClient;

beforeAll(async () => {
  simulator = await startSimulator({ hasPlainImages: true });
  installation = await embeddedInstallation({ ...SETTINGS, ...simulator.settings });
  client = await signIn(installation.origin());
}, 300_000);
afterAll(async () => {
  await killServersLeft();
  await installation.remove();
  await simulator.close();
});

const storedSchema = z.array(z.object({ id: z.string(), rows: z.number(), jobs: z.number() }));

/** The sessions of a key with their rows and jobs, and rows and jobs without a session. */
async function storedUnder(key: string) {
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

test(`an incomplete upload leaves nothing behind (killed: ${victims.join(", ")})`, { timeout: 600_000 }, async () => {
  const { sheet } = calmSheet(ROWS, seeded(seed));
  for (const victim of victims) {
    const release = await lockTotals();
    const cut = expect(client.upload(installation.origin(), sheet, victim)).rejects.toThrow();
    await vi.waitUntil(isWaitingForLock, { timeout: 60_000, interval: 100 });
    await installation.kill(victim);
    await cut;
    await release();
    await installation.recover();
    expect(await storedUnder(victim)).toEqual([NOBODYS]);

    const stored = await client.upload(installation.origin(), sheet, victim);
    expect(stored.status).toBe(201);
    expect(await storedUnder(victim)).toEqual([{ id: stored.id, rows: ROWS, jobs: ROWS }, NOBODYS]);
  }
});

test(
  `an upload killed at any moment exists once when it is sent again (seed ${seed})`,
  { timeout: 300_000 + ROUNDS * 30_000 },
  async () => {
    const random = seeded(seed);
    const { sheet } = calmSheet(ROWS, random);
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = `round ${round}`;
      const sent = client.upload(installation.origin(), sheet, key).catch(() => null);
      await sleep(random.next() * MOMENT_MS);
      await installation.kill(random.pick(VICTIMS));
      const before = await sent;
      await installation.recover();
      const [first = NOBODYS] = await storedUnder(key);
      expect([0, ROWS]).toContain(first.rows);
      if (before) expect(first.id).toBe(before.id);

      const again = await client.upload(installation.origin(), sheet, key);
      expect(again.status).toBe(first.rows === 0 ? 201 : 200);
      if (first.rows > 0) expect(again.id).toBe(first.id);
      expect(await storedUnder(key)).toEqual([{ id: again.id, rows: ROWS, jobs: ROWS }, NOBODYS]);
    }
  },
);

/**
 * Locks the user's totals, which an upload updates after its rows and before its jobs: it waits there, in the middle of
 * its transaction, until the lock is released. Transactions that only refer to the user do not wait.
 */
async function lockTotals(): Promise<() => Promise<void>> {
  const database = new pg.Client(installation.address);
  // The database may be killed meanwhile.
  database.on("error", () => undefined);
  await database.connect();
  await database.query("BEGIN");
  await database.query("SELECT FROM user_profiles WHERE id = $1 FOR NO KEY UPDATE", [client.userId]);
  return () => database.end();
}

async function isWaitingForLock(): Promise<boolean> {
  const waiting = await installation.query(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE '%user_profiles%'",
    [],
  );
  return waiting.length > 0;
}
