import { expect, test } from "vitest";
import { LaneClosedError } from "./lane-slots.ts";
import { createSlowCallers } from "./slow-callers.ts";

const DELAY_MS = 10_000;
const LONG_MS = 20_000;
const HUNG_MS = 30_000;
/** How long a person has to wait after one card that hung. */
const WAIT_MS = HUNG_MS - DELAY_MS;
const MINUTE_MS = 60_000;
const { signal } = new AbortController();

/** People whose cards take mocked time, and single lookups that the lane admits like a card of a run. */
function callers() {
  let time = 0;
  const ran: string[] = [];
  const slow = createSlowCallers({ longCallMs: LONG_MS, delayMs: DELAY_MS, each: 1, closing: signal, now: () => time });
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

test("a single lookup after a slow card waits for its excess over a normal one, while others' cards are fast", async () => {
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

test("after several slow cards, a person waits twice as long, times the number of such people", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  for (const person of ["one", "one", "another", "another"]) note(person, HUNG_MS);
  expect([waitMs("one"), waitMs("another"), waitMs("colleague")]).toEqual([2 * WAIT_MS, 2 * 2 * WAIT_MS, 0]);
  note("one", HUNG_MS);
  expect(waitMs("one")).toBe(2 * 2 * WAIT_MS);
});

test("many people's barely slow cards don't multiply the wait after one that hung", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  for (let n = 0; n < 10; n += 1) for (let cards = 0; cards < 2; cards += 1) note(`barely slow ${n}`, LONG_MS + 100);
  note("unlucky", HUNG_MS);
  expect(waitMs("unlucky")).toBe(WAIT_MS);
  note("unlucky", HUNG_MS);
  expect(waitMs("unlucky")).toBe(2 * (WAIT_MS + 10 * (LONG_MS + 100 - DELAY_MS)));
});

test("others' cards that hung don't lengthen the wait after a barely slow one much", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  for (const person of ["one", "one", "another", "another"]) note(person, HUNG_MS);
  for (let cards = 0; cards < 2; cards += 1) note("unlucky", LONG_MS + 100);
  expect(waitMs("unlucky")).toBe(2 * 3 * (LONG_MS + 100 - DELAY_MS));
});

test("a retry of a slow card doesn't count as another slow card", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  note("unlucky", HUNG_MS);
  for (let retries = 0; retries < 3; retries += 1) note("unlucky", HUNG_MS, true);
  expect(waitMs("unlucky")).toBe(WAIT_MS);
  note("unlucky", HUNG_MS);
  expect(waitMs("unlucky")).toBe(2 * WAIT_MS);
});

test("waits don't add up while an upstream is slow for everyone", () => {
  const { note, waitMs, pass } = callers();
  note("colleague", 500);
  const people = ["one", "another", "a third"];
  for (let cards = 0; cards < 20; cards += 1) for (const person of people) note(person, HUNG_MS);
  expect(people.map(waitMs)).toEqual([0, 0, 0]);
  pass(2 * 3 * 3 * WAIT_MS);
  note("newcomer", 500);
  expect(people.map(waitMs)).toEqual([0, 0, 0]);
});

test("a person with slow cards waits, however much time they take", () => {
  const { note, waitMs, pass } = callers();
  for (let calls = 0; calls < 20; calls += 1) {
    note("colleague", 500);
    pass(5 * MINUTE_MS);
    note("one", 5 * MINUTE_MS);
  }
  expect(waitMs("one")).toBe(2 * (5 * MINUTE_MS - DELAY_MS));
});

test("a person who looks up cards alone never waits", () => {
  const { note, waitMs } = callers();
  for (const ms of [500, HUNG_MS, 500, HUNG_MS]) note("one", ms);
  expect(waitMs("one")).toBe(0);
});

test("no one waits while everyone's calls hang", () => {
  const { note, waitMs } = callers();
  note("one", 500);
  note("another", 500);
  for (let cards = 0; cards < 10; cards += 1) for (const person of ["one", "another"]) note(person, HUNG_MS);
  expect([waitMs("one"), waitMs("another")]).toEqual([0, 0]);
});

test("a colleague's own slow cards don't end the waits of people whose cards hang", () => {
  const { note, waitMs } = callers();
  note("colleague", 500);
  for (let cards = 0; cards < 3; cards += 1) note("one", MINUTE_MS);
  for (let cards = 0; cards < 2; cards += 1) note("colleague", LONG_MS + 100);
  expect(waitMs("one")).toBe(2 * (MINUTE_MS - DELAY_MS));
});

test("people whose slow cards took about as long don't wait for each other", () => {
  const { note, waitMs } = callers();
  note("another", 500);
  for (const person of ["one", "another", "one", "another"]) for (const ms of [HUNG_MS, 500]) note(person, ms);
  expect([waitMs("one"), waitMs("another")]).toEqual([0, 0]);
  note("colleague", 500);
  expect([waitMs("one"), waitMs("another")]).toEqual([2 * WAIT_MS, 2 * 2 * WAIT_MS]);
});

test("a wait ends after others have looked up nothing for ten minutes", () => {
  const { note, waitMs, pass } = callers();
  note("colleague", 500);
  note("one", 30 * MINUTE_MS);
  pass(10 * MINUTE_MS - 1);
  expect(waitMs("one")).toBeGreaterThan(0);
  pass(1);
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
