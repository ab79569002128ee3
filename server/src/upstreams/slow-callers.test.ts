import { expect, test } from "vitest";
import { LaneClosedError } from "./lane-slots.ts";
import { createSlowCallers } from "./slow-callers.ts";

const LONG_MS = 20_000;
const HUNG_MS = 30_000;
/** How long one person has to wait after a card that hung. */
const REST_MS = 4 * (HUNG_MS - LONG_MS);
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

/** Longer than between two checks of whether a rest is over. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_200));

test("a person whose calls hung rests four times as long as they took too long, while others' calls are fast", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  slow.note("one", HUNG_MS);
  const resting = [lookUp("one", { ms: HUNG_MS }), lookUp("one")];
  await lookUp("colleague", { ms: 0 });
  pass(REST_MS - 1);
  await aMoment();
  expect(ran).toEqual(["colleague"]);
  pass(1);
  await resting[0];
  await aMoment();
  expect(ran).toEqual(["colleague", "one"]);
  pass(REST_MS);
  await resting[1];
  expect(ran).toEqual(["colleague", "one", "one"]);
});

test("a card that waits behind one that turns out to be slow rests, too", async () => {
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
  pass(REST_MS);
  await second;
  expect(ran).toEqual(["one's card of a run", "one"]);
});

test("the more people's calls hung, the longer they rest", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  for (const person of ["one", "another"]) slow.note(person, HUNG_MS);
  const [one, another] = [lookUp("one", { ms: 0 }), lookUp("another", { ms: 0 })];
  pass(REST_MS);
  await one;
  await aMoment();
  expect(ran).toEqual(["one"]);
  pass(REST_MS);
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
  const resting = [lookUp("one"), lookUp("another")];
  await aMoment();
  expect(ran).toEqual([]);
  pass(6 * MINUTE_MS);
  await Promise.all(resting);
});

test("fast cards of a person who has rested count again", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("unlucky", HUNG_MS);
  pass(REST_MS);
  slow.note("unlucky", 500);
  slow.note("one", HUNG_MS);
  const resting = lookUp("one");
  await lookUp("unlucky", { ms: 0 });
  await aMoment();
  expect(ran).toEqual(["unlucky"]);
  pass(2 * REST_MS);
  await resting;
});

test("a person who looks up cards alone never rests", async () => {
  const { slow, lookUp, ran } = callers();
  for (const ms of [500, HUNG_MS, 500]) slow.note("one", ms);
  await lookUp("one");
  expect(ran).toEqual(["one"]);
});

test("no one rests while everyone's calls hang", async () => {
  const { slow, lookUp, ran } = callers();
  slow.note("one", 500);
  for (const person of ["one", "another"]) slow.note(person, HUNG_MS);
  await Promise.all([lookUp("one"), lookUp("another")]);
  expect(ran).toEqual(["one", "another"]);
});

test("a rest ends when others have looked nothing up for five minutes, and people are slow for ten minutes", async () => {
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
  // "one" is no longer slow, so "other" rests as one person does.
  const resting = lookUp("other");
  pass(REST_MS);
  await resting;
  expect(ran).toEqual(["one", "other"]);
});

test("a client that disconnects during a rest no longer waits", async () => {
  const { slow, lookUp, ran } = callers();
  slow.note("colleague", 500);
  slow.note("one", HUNG_MS);
  const client = new AbortController();
  const resting = [0, 1].map(() => lookUp("one", { givenUp: client.signal }));
  await aMoment();
  const settled = Promise.allSettled(resting);
  client.abort();
  expect(await settled).toMatchObject([{ status: "fulfilled" }, { reason: expect.any(LaneClosedError) as unknown }]);
  // The lane refuses work whose client has left.
  expect(ran).toEqual(["one"]);
});
