import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLimitPerKey } from "./limit-per-key.ts";
import { createPlaces } from "./places.ts";
import { repeat } from "./repeat.ts";
import { createSingleFlight } from "./single-flight.ts";
import { createTurns } from "./turns.ts";

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

test("a limit per key lets each key use its share; whoever waits for the total goes first come, first served", async () => {
  const limit = createLimitPerKey(3, 2);
  const { begun, work, end } = createWork();
  const works = ["ana1", "ana2", "ana3", "ana4", "ben1", "ben2", "cat1"].map((name) =>
    limit(name.slice(0, -1), () => work(name, name === "ben1")).catch((error: unknown) => error),
  );
  await nextTick();
  expect(begun).toEqual(["ana1", "ana2", "ben1"]);
  const order: string[] = [];
  for (const name of ["ana1", "ben1", "cat1", "ana2", "ana3", "ben2", "ana4"]) {
    order.push(`${name}: ${await end(name)}`);
  }
  expect(order).toEqual(["ana1: ben2", "ben1: cat1", "cat1: ana3", "ana2: ana4", "ana3: ", "ben2: ", "ana4: "]);
  expect((await Promise.all(works))[4]).toEqual(new Error("ben1 is broken"));
});

test("turns run the work of a key in order of arrival, even after a failure", async () => {
  const inTurn = createTurns();
  const { begun, work, end } = createWork();
  const first = inTurn(["a", "b"], () => work("ab", true));
  const rest = Promise.all([
    inTurn(["b", "c"], () => work("bc")),
    inTurn(["c"], () => work("c")),
    inTurn(["d"], () => work("d")),
  ]);
  await nextTick();
  expect(begun).toEqual(["ab", "d"]);
  const failed = expect(first).rejects.toThrow("ab is broken");
  expect([await end("ab"), await end("bc"), await end("c"), await end("d")]).toEqual(["bc", "c", "", ""]);
  await failed;
  expect(await rest).toEqual(["bc", "c", "d"]);
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

test("a key's places are refused while all are taken", () => {
  const take = createPlaces(2);
  const leave = take("ana");
  expect([take("ana"), take("ana"), take("ben")]).toEqual([expect.any(Function), null, expect.any(Function)]);
  leave?.();
  expect([take("ana"), take("ana")]).toEqual([expect.any(Function), null]);
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
