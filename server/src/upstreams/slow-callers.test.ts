import { expect, test } from "vitest";
import { createSlowCallers } from "./slow-callers.ts";

const HUNG_MS = 30_000;
const MINUTE_MS = 60_000;
const { signal } = new AbortController();

/** Single lookups that take `ms`, in the order in which they ran. */
function callers() {
  let time = 0;
  const ran: string[] = [];
  const slow = createSlowCallers({ longCallMs: 20_000, each: 1, closing: signal, now: () => time });
  const lookUp = (person: string, { ms = 500, givenUp = signal } = {}) => {
    const work = async () => {
      ran.push(person);
      slow.note(person, ms);
    };
    return slow.run(person, work, givenUp);
  };
  return { slow, lookUp, ran, pass: (ms: number) => (time += ms) };
}

/** Longer than between two checks of whether a rest is over. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_200));

test("people whose calls hung rest three times as long, one after another, while others' calls are fast", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  for (const person of ["one", "another"]) slow.note(person, HUNG_MS);
  const resting = [lookUp("one", { ms: HUNG_MS }), lookUp("another")];
  await lookUp("colleague");
  pass(3 * HUNG_MS - 1);
  await aMoment();
  expect(ran).toEqual(["colleague"]);
  pass(1);
  await resting[0];
  await aMoment();
  expect(ran).toEqual(["colleague", "one"]);
  pass(3 * HUNG_MS);
  await resting[1];
  expect(ran).toEqual(["colleague", "one", "another"]);
});

test("a person who looks up cards alone never rests", async () => {
  const { slow, lookUp, ran } = callers();
  for (const ms of [500, HUNG_MS, 500]) slow.note("one", ms);
  await lookUp("one");
  expect(ran).toEqual(["one"]);
});

test("no one rests while everyone's calls hang", async () => {
  const { slow, lookUp, ran } = callers();
  for (const person of ["one", "another"]) slow.note(person, HUNG_MS);
  slow.note("one", 500);
  await Promise.all([lookUp("one"), lookUp("another")]);
  expect(ran).toEqual(["one", "another"]);
});

test("a rest ends when others have looked nothing up for two minutes, and people are slow for ten minutes", async () => {
  const { slow, lookUp, ran, pass } = callers();
  slow.note("colleague", 500);
  slow.note("one", MINUTE_MS);
  pass(2 * MINUTE_MS);
  await lookUp("one");
  pass(8 * MINUTE_MS);
  slow.note("another", 10 * MINUTE_MS);
  slow.note("colleague", 500);
  await lookUp("one");
  expect(ran).toEqual(["one", "one"]);
});

test("a client that disconnects during a rest no longer waits", async () => {
  const { slow, lookUp, ran } = callers();
  slow.note("colleague", 500);
  slow.note("one", HUNG_MS);
  const client = new AbortController();
  const resting = lookUp("one", { givenUp: client.signal });
  client.abort();
  await resting;
  // The lane refuses work whose client has left.
  expect(ran).toEqual(["one"]);
});
