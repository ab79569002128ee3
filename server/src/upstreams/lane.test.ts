import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { LaneClosedError } from "./lane-slots.ts";
import { createLanes, type LaneSettings, type Lanes } from "./lane.ts";
import { onBehalfOf } from "./on-behalf-of.ts";

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
let db: Database;
const nodes: Lanes[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.settings, (error) => expect.unreachable(error.message));
  db = openDatabase(pool);
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});

const ONE = { psa: 1, cgc: 1, tag: 1, cardladder: 1, cardsiq: 1 };

/** Another node on the shared database. */
function node(settings: Partial<LaneSettings> = {}): Lanes {
  const lanes = createLanes(db, pool, {
    delayMs: 0,
    priceDelayMs: 0,
    concurrency: ONE,
    longCallMs: 20_000,
    listPeopleWithJobs: async () => [],
    ...settings,
  });
  nodes.push(lanes);
  return lanes;
}

/** When the lane's next card may start or call, by the database clock. */
async function turnOf(lane: "psa" | "cgc", turn: "next_at" | "next_call_at"): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    SELECT (EXTRACT(EPOCH FROM ${sql.ref(turn)}) * 1000)::float8 AS at FROM lanes WHERE name = ${lane}`.execute(db);
  return rows[0]?.at ?? 0;
}

/** The gaps between consecutive times. */
function distancesOf(times: readonly number[]): number[] {
  const ordered = times.toSorted((a, b) => a - b);
  return ordered.slice(1).map((at, n) => at - (ordered[n] ?? 0));
}

/** Work that counts how many of its instances run at once. Each instance runs until `finish` resolves. */
function counter(finish: (running: number) => Promise<unknown> = () => sleep(10)) {
  const seen = { running: 0, most: 0, started: 0 };
  const work = async (): Promise<void> => {
    seen.started += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await finish(seen.running);
    seen.running -= 1;
  };
  return { seen, work };
}

test("runs one card of a lane at a time, over two nodes", async () => {
  const [first, second] = [node(), node()];
  const { seen, work } = counter();
  await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? first : second).psa.pass(work)));
  expect(seen).toMatchObject({ most: 1, running: 0 });
  expect(seen.started).toBe(12);
});

test("runs as many cards at once as the setting allows, over two nodes", async () => {
  const wide = { concurrency: { ...ONE, psa: 3 } };
  const [first, second] = [node(wide), node(wide)];
  const areThree = Promise.withResolvers<void>();
  const { seen, work } = counter(async (running) => {
    if (running === 3) areThree.resolve();
    await areThree.promise;
    await sleep(10);
  });
  await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? first : second).psa.pass(work)));
  expect(seen.most).toBe(3);
});

test("starts the cards of a lane a delay apart, over two nodes", async () => {
  const delayMs = 80;
  const [first, second] = [node({ delayMs }), node({ delayMs })];
  const turns: number[] = [];
  const card = (n: number) =>
    (n % 2 ? first : second).cgc.pass(async (waitForCallSlot) => {
      turns.push(await turnOf("cgc", "next_at"));
      await waitForCallSlot();
    });
  await Promise.all(Array.from({ length: 6 }, (_, n) => card(n)));
  const distances = distancesOf(turns);
  expect(distances).toHaveLength(5);
  expect(distances.filter((distance) => distance < delayMs)).toEqual([]);
});

test("spaces the calls of cards, however long each takes from its start to its call", async () => {
  const delayMs = 60;
  const wide = { delayMs, concurrency: { ...ONE, psa: 4 } };
  const [first, second] = [node(wide), node(wide)];
  const turns: number[] = [];
  const card = (n: number) =>
    (n % 2 ? first : second).psa.pass(async (waitForCallSlot) => {
      await sleep((n % 3) * 50);
      await waitForCallSlot();
      await waitForCallSlot();
      turns.push(await turnOf("psa", "next_call_at"));
    });
  await Promise.all(Array.from({ length: 9 }, (_, n) => card(n)));
  expect(turns).toHaveLength(9);
  expect(distancesOf(turns).filter((distance) => distance > 0 && distance < delayMs)).toEqual([]);
});

test("nodes take turns, even if one of them always has a card waiting", async () => {
  const [first, second] = [node(), node()];
  let cards = 0;
  const end = new AbortController();
  const busy = async (): Promise<void> => {
    while (!end.signal.aborted)
      await first.psa.pass(async () => {
        cards += 1;
        await sleep(400);
      });
  };
  const all = [busy(), busy(), busy()];
  await expect.poll(() => cards).toBeGreaterThan(0);
  const before = cards;
  expect(await second.psa.pass(async () => cards - before)).toBeLessThan(10);
  end.abort();
  await Promise.all(all);
});

test("a card that makes no call, or fails before it, doesn't delay the next one", async () => {
  const lanes = node({ delayMs: 600_000 });
  await lanes.tag.pass(async () => "no call");
  await lanes.tag.pass(() => Promise.reject(new Error("before the call"))).catch(() => undefined);
  expect(await lanes.tag.pass((waitForCallSlot) => waitForCallSlot().then(() => "called"))).toBe("called");
});

test("each company's cards run one by one while the three companies run side by side", async () => {
  const lanes = node();
  const areThree = Promise.withResolvers<void>();
  const running = { psa: 0, cgc: 0, tag: 0 };
  const most = { psa: 0, cgc: 0, tag: 0 };
  const card = (company: keyof typeof running) =>
    lanes[company].pass(async () => {
      running[company] += 1;
      most[company] = Math.max(most[company], running[company]);
      if (running.psa + running.cgc + running.tag === 3) areThree.resolve();
      await areThree.promise;
      running[company] -= 1;
    });
  const companies = ["psa", "cgc", "tag"] as const;
  await Promise.all(Array.from({ length: 12 }, (_, n) => card(companies[n % 3] ?? "psa")));
  expect(most).toEqual({ psa: 1, cgc: 1, tag: 1 });
});

test("lanes do not wait for each other", async () => {
  const lanes = node();
  const blocked = Promise.withResolvers<void>();
  const slow = lanes.psa.pass(() => blocked.promise);
  expect(await lanes.tag.pass(async () => "through")).toBe("through");
  blocked.resolve();
  await slow;
});

test("a failed card frees the lane for the next", async () => {
  const lanes = node();
  await expect(lanes.psa.pass(() => Promise.reject(new Error("broken card")))).rejects.toThrow("broken card");
  expect(await lanes.psa.pass(async () => "next")).toBe("next");
});

test("a closed lane starts nothing: waiting cards are returned", async () => {
  const lanes = node({ delayMs: 60_000 });
  await lanes.tag.pass(async () => "the first needs no wait");
  const waiting = [lanes.tag.pass(async () => "late"), lanes.tag.pass(async () => "later")];
  const answers = Promise.allSettled(waiting);
  await lanes.close();
  expect(await answers).toMatchObject([
    { status: "rejected", reason: expect.any(LaneClosedError) },
    { status: "rejected", reason: expect.any(LaneClosedError) },
  ]);
});

test("callers take turns, however many cards each has waiting", async () => {
  const { psa } = node();
  const order: string[] = [];
  const cardOf = (person: string) => onBehalfOf(person, () => psa.pass(async () => order.push(person)));
  await Promise.all(["ana", "ana", "ana", "ana", "ben", "ben", "cara"].map(cardOf));
  expect(order).toEqual(["ana", "ben", "cara", "ana", "ben", "ana", "ana"]);
});

test("a canceled card leaves the queue", async () => {
  const lanes = node();
  const blocked = Promise.withResolvers<void>();
  const first = lanes.psa.pass(() => blocked.promise);
  const leaving = new AbortController();
  const left = lanes.psa.pass(async () => "left", leaving.signal);
  const third = lanes.psa.pass(async () => "third");
  leaving.abort();
  await expect(left).rejects.toThrow(LaneClosedError);
  blocked.resolve();
  await first;
  expect(await third).toBe("third");
});

test("a start time far in the future, from a clock set back, is ignored", async () => {
  await db
    .updateTable("lanes")
    .set({ next_at: new Date(Date.now() + 86_400_000) })
    .where("name", "=", "tag")
    .execute();
  expect(await node({ delayMs: 50 }).tag.pass(async () => "through")).toBe("through");
});

test("cards continue when the connection with their slots breaks", async () => {
  const lanes = node();
  const { seen, work } = counter();
  const cards = Array.from({ length: 10 }, () => lanes.psa.pass(work));
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db);
  const ends = await Promise.allSettled(cards);
  expect(seen.started).toBeGreaterThanOrEqual(9);
  // The broken connection may fail the card that releases its slot and the one that waits for it.
  expect(ends.filter((end) => end.status === "rejected").length).toBeLessThanOrEqual(2);
  expect(await lanes.psa.pass(async () => "through")).toBe("through");
});

test("a person with slow cards waits on every node for people who use the lane on another", async () => {
  const [first, second] = [node({ longCallMs: 100 }), node({ longCallMs: 100 })];
  const lookUp = (at: Lanes, person: string, ms: number) =>
    onBehalfOf(person, () => at.psa.call(() => sleep(ms))).then(
      () => "looked up",
      (error: unknown) => (error instanceof Error ? error.name : error),
    );
  const slowBesideBen = async () => {
    expect(await lookUp(second, "ben", 0)).toBe("looked up");
    return lookUp(first, "ana", 300);
  };
  await expect.poll(slowBesideBen, { timeout: 10_000 }).toBe("LaneWaitError");
  await expect.poll(() => lookUp(second, "ana", 0)).toBe("LaneWaitError");
});

test("a stopping node releases its slot at once", async () => {
  const dying = node();
  const stuck = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const lost = dying.psa.pass(async () => {
    started.resolve();
    await stuck.promise;
  });
  await started.promise;
  await dying.close();
  expect(await node().psa.pass(async () => "through")).toBe("through");
  stuck.resolve();
  await lost;
});

test("a stopping node releases its connection, even if its slots cannot be released", async () => {
  const own = await createTestDatabase();
  const ownPool = openPool(own.settings, (error) => expect.unreachable(error.message));
  const lanes = createLanes(openDatabase(ownPool), ownPool, {
    delayMs: 0,
    priceDelayMs: 0,
    concurrency: ONE,
    longCallMs: 20_000,
    listPeopleWithJobs: async () => [],
  });
  await lanes.psa.pass(async () => "through");
  const superuser = new pg.Client(own.superuserSettings);
  await superuser.connect();
  await superuser.query("REVOKE EXECUTE ON FUNCTION pg_advisory_unlock_all() FROM PUBLIC");
  await superuser.end();
  await expect(lanes.close()).rejects.toThrow("permission denied");
  await ownPool.end();
  expect(ownPool.totalCount).toBe(0);
  await own.end();
});
