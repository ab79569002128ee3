import { expect, test } from "vitest";
import { LaneClosedError } from "./lane-slots.ts";
import { createSlowCallers } from "./slow-callers.ts";

const LONG_MS = 20_000;
const HUNG_MS = 30_000;
/** How long a person has to wait after one card that hung, and people with several. */
const WAIT_MS = HUNG_MS - LONG_MS;
const GAP_MS = 3 * WAIT_MS;
const MINUTE_MS = 60_000;
const { signal } = new AbortController();

/** People whose cards take mocked time, and single lookups that the lane admits like a card of a run. */
function callers() {
  let time = 0;
  const ran: string[] = [];
  const slow = createSlowCallers({ longCallMs: LONG_MS, each: 1, closing: signal, now: () => time });
  const lookUp = (person: string, givenUp = signal) => {
    const work = async () => {
      slow.demandNoWait(person);
      ran.push(person);
    };
    return slow.runSingle(person, work, givenUp);
  };
  return { ...slow, lookUp, ran, pass: (ms: number) => (time += ms) };
}

/** Longer than between two checks of whether a wait is over. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_200));

test("a single lookup after a slow card waits for its excess over the limit, while others' cards are fast", async () => {
  const { note, lookUp, ran, pass } = callers();
  note("colleague", 500);
  note("one", HUNG_MS);
  const waiting = lookUp("one");
  await lookUp("colleague");
  pass(WAIT_MS - 1);
  await aMoment();
  expect(ran).toEqual(["colleague"]);
  pass(1);
  await waiting;
  expect(ran).toEqual(["colleague", "one"]);
});

test("people with several slow cards share a gap of three times each card's excess", () => {
  const { note, waitMs, pass } = callers();
  note("colleague", 500);
  for (const person of ["one", "one", "another", "another"]) note(person, HUNG_MS);
  expect([waitMs("one"), waitMs("another"), waitMs("colleague")]).toEqual([GAP_MS, GAP_MS, 0]);
  pass(GAP_MS);
  expect([waitMs("one"), waitMs("another")]).toEqual([0, 0]);
  note("another", HUNG_MS);
  expect(waitMs("one")).toBe(GAP_MS);
});

test("a shorter slow card doesn't end the gap after a longer one", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  for (const ms of [HUNG_MS, HUNG_MS, LONG_MS]) note("one", ms);
  expect(waitMs("one")).toBe(GAP_MS);
});

test("a person with one slow card doesn't share the gap", () => {
  const { note, waitMs, pass } = callers();
  note("colleague", 500);
  note("unlucky", HUNG_MS);
  for (const person of ["one", "another", "one", "another"]) note(person, MINUTE_MS);
  expect(waitMs("unlucky")).toBe(WAIT_MS);
  pass(WAIT_MS);
  expect(waitMs("unlucky")).toBe(0);
});

test("waits don't add up while others have no fast cards", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  note("colleague", HUNG_MS);
  for (let cards = 0; cards < 20; cards += 1) note("one", HUNG_MS);
  expect(waitMs("one")).toBe(0);
  note("newcomer", 500);
  expect(waitMs("one")).toBe(0);
});

test("the time that slow cards take doesn't count as time without fast ones", () => {
  const { note, waitMs, pass } = callers();
  note("colleague", 500);
  for (let calls = 0; calls < 20; calls += 1) {
    pass(MINUTE_MS);
    note(calls % 2 === 0 ? "one" : "another", MINUTE_MS);
  }
  expect([waitMs("one"), waitMs("another")]).toEqual([3 * (MINUTE_MS - LONG_MS), 3 * (MINUTE_MS - LONG_MS)]);
});

test("a person who looks up cards alone never waits", () => {
  const { note, waitMs } = callers();
  for (const ms of [500, HUNG_MS, 500, HUNG_MS]) note("one", ms);
  expect(waitMs("one")).toBe(0);
});

test("no one waits while everyone's calls hang", () => {
  const { note, waitMs } = callers();
  note("one", 500);
  for (const person of ["another", "one", "another", "one"]) note(person, HUNG_MS);
  expect([waitMs("one"), waitMs("another")]).toEqual([0, 0]);
});

test("people who all have several slow cards don't wait for each other", () => {
  const { note, waitMs } = callers();
  note("another", 500);
  for (const person of ["one", "another", "one", "another"]) for (const ms of [HUNG_MS, 500]) note(person, ms);
  expect([waitMs("one"), waitMs("another")]).toEqual([0, 0]);
  note("colleague", 500);
  expect([waitMs("one"), waitMs("another")]).toEqual([GAP_MS, GAP_MS]);
});

test("a wait ends after others have looked up nothing for five minutes", () => {
  const { note, waitMs, pass } = callers();
  note("colleague", 500);
  note("one", 8 * MINUTE_MS);
  pass(8 * MINUTE_MS + 5 * MINUTE_MS - 1);
  note("one", 8 * MINUTE_MS);
  expect(waitMs("one")).toBeGreaterThan(0);
  pass(8 * MINUTE_MS + 1);
  expect(waitMs("one")).toBe(0);
});

test("a slow card is forgotten after ten minutes", () => {
  const { note, waitMs, pass } = callers();
  note("one", HUNG_MS);
  note("colleague", 500);
  note("one", HUNG_MS);
  pass(10 * MINUTE_MS);
  note("colleague", 500);
  note("one", HUNG_MS);
  expect(waitMs("one")).toBe(WAIT_MS);
});

test("a client that disconnects no longer waits", async () => {
  const { note, lookUp, ran } = callers();
  note("colleague", 500);
  note("one", HUNG_MS);
  const client = new AbortController();
  const waiting = [0, 1].map(() => lookUp("one", client.signal));
  await aMoment();
  const settled = Promise.allSettled(waiting);
  client.abort();
  const refused = { reason: expect.any(LaneClosedError) as unknown };
  expect(await settled).toMatchObject([refused, refused]);
  expect(ran).toEqual([]);
});
