import { setImmediate as nextTick, setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createBatches } from "./batches.ts";
import { repeat } from "./repeat.ts";
import { createBudgets, noteRequest } from "./budgets.ts";
import { createShares } from "./shares.ts";
import { createSingleFlight } from "./single-flight.ts";
import { createTurns } from "./turns.ts";

afterEach(() => void vi.useRealTimers());

/** Work that runs until it is ended. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: async (name: string, fails = false): Promise<string> => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      if (fails) throw new Error(`${name} is broken`);
      return name;
    },
    /** Ends one piece of work and returns what begins in its place. */
    async end(name: string): Promise<string> {
      const before = begun.length;
      ends.get(name)?.();
      await nextTick();
      return begun.slice(before).join();
    },
  };
}

test("shares reserve places and rotate free ones among people", async () => {
  const shares = createShares({ total: 3, each: 2, waiting: 4 });
  const { begun, work, end } = createWork();
  const names = ["ana1", "ana2", "ana3", "ana4", "ana5", "ben1", "ben2", "cat1"];
  const works = names.map((name) =>
    shares.run(name.slice(0, -1), () => work(name, name === "ben1")).catch((error: unknown) => error),
  );
  await nextTick();
  expect(begun).toEqual(["ana1", "ana2", "ben1"]);
  const order: string[] = [];
  for (const name of ["ana1", "ana2", "ben1", "ana3", "ben2", "cat1", "ana4", "ana5"]) {
    order.push(`${name}: ${await end(name)}`);
  }
  expect(order).toEqual([
    "ana1: cat1",
    "ana2: ana3",
    "ben1: ben2",
    "ana3: ana4",
    "ben2: ana5",
    "cat1: ",
    "ana4: ",
    "ana5: ",
  ]);
  expect((await Promise.all(works))[5]).toEqual(new Error("ben1 is broken"));
});

test("a free place goes to the person whose latest place is the oldest, even if others began to wait earlier", async () => {
  const shares = createShares({ total: 1, each: 1 });
  const order: string[] = [];
  const use = (person: string) => shares.run(person, () => Promise.resolve(order.push(person)));
  const flood = Promise.all(Array.from({ length: 6 }, () => use("ana")));
  // Ben sends each request only after the previous one was answered.
  for (let sent = 0; sent < 3; sent += 1) await use("ben");
  await flood;
  expect(order.join(" ")).toBe("ana ben ana ben ana ben ana ana ana");
});

test("shares refuse a person whose queue is full, and whoever waits too long or leaves", async () => {
  const refuse = (filledBy: string): Error => new Error(filledBy);
  const shares = createShares({ total: 2, each: 1, waiting: 1, patienceMs: 5, refuse });
  const leaving = new AbortController();
  const leave = await shares.enter("ana");
  const waiting = shares.enter("ana", leaving.signal);
  await expect(shares.enter("ana")).rejects.toThrow("own requests");
  leaving.abort();
  await expect(waiting).rejects.toThrow("all requests");
  const leaveAsBen = await shares.enter("ben");
  await expect(shares.enter("cat")).rejects.toThrow("all requests");
  leave();
  leave();
  await shares.enter("cat");
  await expect(shares.enter("dan")).rejects.toThrow("all requests");
  leaveAsBen();
  await expect(shares.enter("dan")).resolves.toBeTypeOf("function");
});

test("turns run the work of a key in order of arrival, even after a failure", async () => {
  const { run: inTurn, isTaken } = createTurns();
  const { begun, work, end } = createWork();
  const first = inTurn(["a", "b"], () => work("ab", true));
  const rest = Promise.all([
    inTurn(["b", "c"], () => work("bc")),
    inTurn(["c"], () => work("c")),
    inTurn(["d"], () => work("d")),
  ]);
  await nextTick();
  expect(begun).toEqual(["ab", "d"]);
  expect(["a", "c", "x"].map(isTaken)).toEqual([true, true, false]);
  const failed = expect(first).rejects.toThrow("ab is broken");
  expect([await end("ab"), await end("bc"), await end("c"), await end("d")]).toEqual(["bc", "c", "", ""]);
  await failed;
  expect(await rest).toEqual(["bc", "c", "d"]);
  expect(["a", "b", "c", "d"].map(isTaken)).toEqual([false, false, false, false]);
});

test("a single flight shares one run per key while it lasts, and its failure", async () => {
  const { begun, work, end } = createWork();
  const flights = createSingleFlight<string>();
  const joined = [flights.run("x", () => work("one")), flights.run("x", () => work("two"))];
  const other = flights.run("y", () => work("other", true));
  const failed = expect(other).rejects.toThrow("other is broken");
  expect([begun, flights.current("x")]).toEqual([["one", "other"], joined[0]]);
  await end("one");
  await end("other");
  await failed;
  expect([await Promise.all(joined), flights.current("x")]).toEqual([["one", "one"], undefined]);
  const next = flights.run("x", () => work("three"));
  await end("three");
  expect(await next).toBe("three");
});

test("repeat runs work until it is closed, and reports the runs that fail", async () => {
  const closing = new AbortController();
  const errors: Error[] = [];
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    if (runs === 2) throw new Error("broken");
    if (runs === 3) closing.abort();
  };
  const report = (error: Error): unknown => errors.push(error);
  await repeat(work, { everyMs: 1, failure: "The second run failed", report, closing: closing.signal });
  expect([runs, errors]).toEqual([3, [new Error("The second run failed", { cause: new Error("broken") })]]);
});

test("batches combine what arrives meanwhile by key, and a broken item fails alone", async () => {
  const { begun, work, end } = createWork();
  const change = createBatches(async (key: string, items: readonly string[]) => {
    await work(`${key}: ${items.join()}`, items.includes("bad"));
    return items.map((item) => item.toUpperCase());
  });
  const changes = ["a", "b", "bad", "c"].map((item) => change("one", item).catch((error: unknown) => error));
  const other = change("two", "d");
  expect(begun).toEqual(["one: a", "two: d"]);
  expect(await end("one: a")).toBe("one: b,bad,c");
  expect(await end("one: b,bad,c")).toBe("one: b");
  expect(await end("one: b")).toBe("one: bad");
  expect(await end("one: bad")).toBe("one: c");
  await end("one: c");
  await end("two: d");
  expect(await Promise.all([...changes, other])).toEqual(["A", "B", new Error("one: bad is broken"), "C", "D"]);
});

const BUDGET = { burstMs: 20, share: 0.01 };

test("who has used up a budget waits for places of all kinds while others send requests", async () => {
  const budgets = createBudgets(BUDGET);
  const [sheets, exports] = [
    createShares({ total: 5, each: 1, budgets }),
    createShares({ total: 5, each: 1, budgets }),
  ];
  noteRequest("ben");
  noteRequest("ana");
  await sheets.run("ana", () => budgets.charge("ana", () => pause(30)));
  noteRequest("ben");
  noteRequest("ana");
  const begun: string[] = [];
  const again = [sheets, exports].map((shares) => shares.run("ana", async () => void begun.push("ana")));
  await Promise.all([sheets, exports].map((shares) => shares.run("ben", async () => void begun.push("ben"))));
  expect(begun).toEqual(["ben", "ben"]);
  await Promise.all(again);
  expect(begun).toEqual(["ben", "ben", "ana", "ana"]);
});

test("who has used most of a budget has one place at a time while others send requests", async () => {
  const budgets = createBudgets({ burstMs: 60_000, share: 0.1, withinMs: 60_000 });
  const shares = createShares({ total: 5, each: 2, budgets });
  const { begun, work, end } = createWork();
  noteRequest("ben");
  noteRequest("ana");
  budgets.spend("ana", 40_000);
  const works = ["ana1", "ana2", "ben1", "ben2"].map((name) => shares.run(name.slice(0, -1), () => work(name)));
  await nextTick();
  expect(begun).toEqual(["ana1", "ben1", "ben2"]);
  expect(await end("ana1")).toBe("ana2");
  for (const name of ["ana2", "ben1", "ben2"]) await end(name);
  await Promise.all(works);
});

test("waiting in a place for other people's work spends nothing", async () => {
  const budgets = createBudgets(BUDGET);
  const shares = createShares({ total: 5, each: 1, budgets });
  await shares.run("ana", () => pause(30));
  noteRequest("ben");
  noteRequest("ana");
  expect(budgets.mustRest("ana")).toBe(false);
  await budgets.charge("ana", () => pause(30));
  expect(budgets.mustRest("ana")).toBe(true);
});

test("timed places spend the budget, divided among all places in use", async () => {
  const spent: number[] = [];
  const budgets = { ...createBudgets(BUDGET), spend: (_person: string, ms: number) => void spent.push(ms) };
  const shares = createShares({ total: 5, each: 5, budgets, mostMs: Infinity });
  const releases = [await shares.enter("ana"), await shares.enter("ana")];
  await pause(20);
  for (const release of releases) release();
  const [first = 0, second = 0] = spent;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(second);
});

test("work on a slow server is charged at most its maximum", async () => {
  const budgets = createBudgets(BUDGET);
  await budgets.charge("ana", () => pause(30), 1);
  await createShares({ total: 5, each: 1, budgets, mostMs: 1 }).run("ana", () => pause(30));
  noteRequest("ben");
  noteRequest("ana");
  expect(budgets.mustRest("ana")).toBe(false);
  await createShares({ total: 5, each: 1, budgets, mostMs: 60 }).run("ana", () => pause(30));
  noteRequest("ben");
  noteRequest("ana");
  expect(budgets.mustRest("ana")).toBe(true);
});

test("while nobody else sends requests, work never costs more than the burst", async () => {
  const budgets = createBudgets({ burstMs: 60_000, share: 0.1, withinMs: 5 });
  await pause(10);
  budgets.spend("dora", 600_000);
  const mustRest = (): boolean => {
    noteRequest("ben");
    return budgets.mustRest("dora");
  };
  expect(mustRest()).toBe(false);
  noteRequest("ben");
  budgets.spend("dora", 1_000);
  expect(mustRest()).toBe(true);
});

test("people who have used more than half of their burst divide one share of the time", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const budgets = createBudgets({ burstMs: 1_000, share: 0.1, withinMs: 1_000_000 });
  const mustRest = (person: string): boolean => {
    noteRequest("other");
    return budgets.mustRest(person);
  };
  mustRest("ana");
  for (const person of ["ana", "ben", "cat"]) budgets.spend(person, person === "cat" ? 400 : 1_000);
  budgets.spend("ana", 10);
  budgets.spend("cat", 10);
  vi.advanceTimersByTime(150);
  expect(["ana", "cat"].map(mustRest)).toEqual([true, false]);
  vi.advanceTimersByTime(51);
  expect(mustRest("ana")).toBe(false);
});

test("a person who goes back to everyday work doesn't pay for others, who use the budget all the time", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const budgets = createBudgets({ burstMs: 10_000, share: 0.1, withinMs: 1_000_000 });
  for (const person of ["ana", "ben"]) noteRequest(person);
  for (const ms of [10_000, 2_000]) budgets.spend("ana", ms);
  const rests: boolean[] = [];
  for (let second = 5; second <= 180; second += 5) {
    vi.advanceTimersByTime(5_000);
    if (second % 10 === 5) for (const name of ["cat", "dan", "eva", "fay"]) budgets.spend(`${name} ${second}`, 6_000);
    for (const person of ["ben", "ana"]) noteRequest(person);
    budgets.spend("ana", second % 20 === 0 ? 600 : 60);
    rests.push(budgets.mustRest("ana"));
  }
  expect(rests[0]).toBe(true);
  expect(rests.slice(-6)).toEqual(Array.from({ length: 6 }, () => false));
});
