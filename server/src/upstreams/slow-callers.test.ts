import { expect, test } from "vitest";
import { LaneClosedError } from "./lane-slots.ts";
import { createSlowCallers } from "./slow-callers.ts";

const LONG_MS = 20_000;
const HUNG_MS = 30_000;
/** How long one person has to wait after a card that hung. */
const WAIT_MS = 4 * (HUNG_MS - LONG_MS);
const MINUTE_MS = 60_000;
const { signal } = new AbortController();

/** Single lookups that take `ms` of mocked time, in the order in which they ran. */
function callers() {
  let time = 0;
  const ran: string[] = [];
  const slow = createSlowCallers({ longCallMs: LONG_MS, each: 1, closing: signal, now: () => time });
  const lookUp = (person: string, { ms = 500, givenUp = signal } = {}) => {
    const work = async () => {
      ran.push(person);
      time += ms;
      slow.note(person, ms);
    };
    return slow.runSingle(person, work, givenUp);
  };
  return { slow, lookUp, ran, pass: (ms: number) => (time += ms) };
}

/** Longer than between two checks of whether a wait is over. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_200));

test("a person whose calls hung waits four times as long as they exceeded the limit, while others' calls are fast", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  slow.note("one", HUNG_MS);
  const waiting = [lookUp("one", { ms: HUNG_MS }), lookUp("one")];
  await lookUp("colleague", { ms: 0 });
  pass(WAIT_MS - 1);
  await aMoment();
  expect(ran).toEqual(["colleague"]);
  pass(1);
  await waiting[0];
  await aMoment();
  expect(ran).toEqual(["colleague", "one"]);
  pass(WAIT_MS);
  await waiting[1];
  expect(ran).toEqual(["colleague", "one", "one"]);
});

test("a card that waits behind one that turns out to be slow waits longer", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  const first = slow.run("one", async () => {
    ran.push("one's card of a run");
    slow.note("one", HUNG_MS);
  });
  const second = lookUp("one");
  await first;
  await aMoment();
  expect(ran).toEqual(["one's card of a run"]);
  pass(WAIT_MS);
  await second;
  expect(ran).toEqual(["one's card of a run", "one"]);
});

test("the more people's calls hung, the longer they wait", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  for (const person of ["one", "another"]) slow.note(person, HUNG_MS);
  const [one, another] = [lookUp("one", { ms: 0 }), lookUp("another", { ms: 0 })];
  pass(WAIT_MS);
  await one;
  await aMoment();
  expect(ran).toEqual(["one"]);
  pass(WAIT_MS);
  await another;
  expect(ran).toEqual(["one", "another"]);
});

test("the time that slow cards take doesn't count as time without fast ones", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  for (let calls = 0; calls < 20; calls += 1) {
    pass(MINUTE_MS);
    slow.note(calls % 2 === 0 ? "one" : "another", MINUTE_MS);
  }
  const waiting = [lookUp("one"), lookUp("another")];
  await aMoment();
  expect(ran).toEqual([]);
  pass(6 * MINUTE_MS);
  await Promise.all(waiting);
});

test("after a person's wait, the person's fast cards count again", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("unlucky", HUNG_MS);
  pass(WAIT_MS);
  slow.note("unlucky", 500);
  slow.note("one", HUNG_MS);
  const waiting = lookUp("one");
  await lookUp("unlucky", { ms: 0 });
  await aMoment();
  expect(ran).toEqual(["unlucky"]);
  pass(2 * WAIT_MS);
  await waiting;
});

test("a person who looks up cards alone never waits", async () => {
  const { slow, lookUp, ran } = callers();
  for (const ms of [500, HUNG_MS, 500]) slow.note("one", ms);
  await lookUp("one");
  expect(ran).toEqual(["one"]);
});

test("no one waits while everyone's calls hang", async () => {
  const { slow, lookUp, ran } = callers();
  slow.note("one", 500);
  for (const person of ["one", "another"]) slow.note(person, HUNG_MS);
  await Promise.all([lookUp("one"), lookUp("another")]);
  expect(ran).toEqual(["one", "another"]);
});

test("a wait ends after others have looked up nothing for five minutes, and people are slow for ten minutes", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  slow.note("one", 2 * MINUTE_MS);
  pass(7 * MINUTE_MS);
  slow.note("colleague", 500);
  slow.note("one", 3 * MINUTE_MS);
  pass(10 * MINUTE_MS);
  await lookUp("one");
  pass(5 * MINUTE_MS);
  slow.note("colleague", 500);
  slow.note("other", HUNG_MS);
  // "one" is no longer slow, so "other" waits as if alone.
  const waiting = lookUp("other");
  pass(WAIT_MS);
  await waiting;
  expect(ran).toEqual(["one", "other"]);
});

test("a client that disconnects no longer waits", async () => {
  const { slow, lookUp, ran } = callers();
  slow.note("colleague", 500);
  slow.note("one", HUNG_MS);
  const client = new AbortController();
  const waiting = [0, 1].map(() => lookUp("one", { givenUp: client.signal }));
  await aMoment();
  const settled = Promise.allSettled(waiting);
  client.abort();
  expect(await settled).toMatchObject([{ status: "fulfilled" }, { reason: expect.any(LaneClosedError) as unknown }]);
  // The lane refuses work whose client has left.
  expect(ran).toEqual(["one"]);
});
