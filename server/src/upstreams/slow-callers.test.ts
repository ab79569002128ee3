import { expect, test } from "vitest";
import { createShares } from "../concurrency/shares.ts";
import { createSlowCallers } from "./slow-callers.ts";

const MINUTE_MS = 60_000;

function callers() {
  let time = 0;
  return { slow: createSlowCallers(20_000, () => time), pass: (ms: number) => (time += ms) };
}

test("people whose cards take long rest three times as long, all together, while others' cards are fast", () => {
  const { slow, pass } = callers();
  slow.note("colleague", 500);
  slow.note("one", 30_000);
  expect(slow.mustRest("one")).toBe(true);
  expect([slow.mustRest("another"), slow.mustRest("colleague")]).toEqual([false, false]);
  pass(30_000);
  slow.note("another", 30_000);
  pass(89_999);
  expect([slow.mustRest("one"), slow.mustRest("another")]).toEqual([true, true]);
  expect(slow.mustNotWorkInParallel("one")).toBe(true);
  pass(1);
  expect([slow.mustRest("one"), slow.mustRest("another")]).toEqual([false, false]);
});

test("nobody rests while all cards are slow, or only one person looks up cards", () => {
  const { slow, pass } = callers();
  for (const person of ["one", "another"]) slow.note(person, 30_000);
  slow.note("one", 500);
  slow.note("one", 30_000);
  expect([slow.mustRest("one"), slow.mustNotWorkInParallel("one")]).toEqual([false, false]);
  slow.note("another", 500);
  expect(slow.mustRest("one")).toBe(true);
  pass(2 * MINUTE_MS);
  slow.note("one", 30_000);
  expect(slow.mustRest("one")).toBe(false);
});

test("a person is no longer slow ten minutes after the last card that took long", () => {
  const { slow, pass } = callers();
  slow.note("one", 30_000);
  pass(10 * MINUTE_MS);
  slow.note("another", 30_000);
  slow.note("colleague", 500);
  expect([slow.mustRest("one"), slow.mustRest("another")]).toEqual([false, true]);
});

test("others take the place of a person who rests", async () => {
  const { slow, pass } = callers();
  const places = createShares({ total: 1, each: 1, budgets: slow });
  const order: string[] = [];
  const enter = (person: string) => places.run(person, async () => order.push(person));
  slow.note("colleague", 500);
  slow.note("one", 30_000);
  const resting = enter("one");
  await enter("colleague");
  await enter("colleague");
  pass(90_000);
  await resting;
  expect(order).toEqual(["colleague", "colleague", "one"]);
});
