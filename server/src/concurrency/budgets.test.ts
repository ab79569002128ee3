import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type * as budgetsModule from "./budgets.ts";

/** A module of its own, because the other one remembers the requests of other tests. */
const ownModule = new URL("./budgets.ts?own", import.meta.url).href;
const { createBudgets, noteRequest } = (await import(ownModule)) as typeof budgetsModule;

const LATELY_MS = 10_000;

beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterAll(() => void vi.useRealTimers());

let budgets: budgetsModule.Budgets;
beforeEach(() => {
  vi.advanceTimersByTime(2 * LATELY_MS);
  budgets = createBudgets({ burstMs: 1_000, share: 0.1, withinMs: 60_000 });
});

const PEOPLE = ["ana", "ben", "cat"];
const resting = (): string => PEOPLE.filter((person) => budgets.mustRest(person)).join(" ");

test("people rest only for those who have used less and sent a request in the last ten seconds", () => {
  for (const person of PEOPLE) noteRequest(person);
  for (const [index, person] of PEOPLE.entries()) budgets.spend(person, 5_000 + index);
  expect(resting()).toBe("ben cat");
  noteRequest("dan");
  expect(resting()).toBe("ana ben cat");
  vi.advanceTimersByTime(LATELY_MS - 1);
  noteRequest("cat");
  expect(resting()).toBe("ana ben cat");
  vi.advanceTimersByTime(2);
  expect(resting()).toBe("");
  noteRequest("ben");
  expect(resting()).toBe("cat");
});

test("of two people who have used the same, the one who works next rests", () => {
  for (const person of ["ana", "ben"]) {
    noteRequest(person);
    budgets.spend(person, 5_000);
  }
  expect(resting()).toBe("");
  budgets.spend("ana", 1);
  expect(resting()).toBe("ana");
  budgets.spend("ben", 10);
  expect(resting()).toBe("ben");
});

/** Returns the time until the person no longer has to rest. */
function msOfRest(person: string): number {
  let ms = 0;
  for (noteRequest("fresh"); budgets.mustRest(person); noteRequest("fresh")) {
    vi.advanceTimersByTime(10);
    ms += 10;
  }
  return ms;
}

test("of five sharers, the one who has used the least pays once, and the others pay twice", () => {
  noteRequest("fresh");
  const sharers = ["ana", "ben", "cat", "dan", "eve"];
  for (const [index, person] of sharers.entries()) budgets.spend(person, 1_000 + 100 * index);
  for (const person of sharers.toReversed()) budgets.spend(person, 10);
  const startedAt = performance.now();
  const restUntil = sharers.map((person) => msOfRest(person) && performance.now() - startedAt);
  expect(restUntil).toEqual([100, 1_200, 2_200, 3_200, 4_200]);
});

test("work that reaches what another sharer has used costs twice", () => {
  noteRequest("fresh");
  budgets.spend("ana", 1_000);
  budgets.spend("ben", 1_200);
  budgets.spend("ana", 200);
  expect(msOfRest("ana")).toBe(4_000);
});

test("after any work, a person rests for at most four minutes", () => {
  noteRequest("fresh");
  budgets.spend("ana", 1_000_000);
  expect(msOfRest("ana")).toBe(240_000);
});
