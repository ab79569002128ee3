import { expect, test } from "vitest";
import { LaneClosedError } from "./lane-slots.ts";
import { createSlowCallers } from "./slow-callers.ts";
import { simulateLane, type Card, type Run } from "./testing/lane-simulation.ts";

const HUNG_MS = 30_000;
const NORMAL_MS = 200;
const { signal } = new AbortController();

/** People whose cards take mocked time, and single lookups that the lane admits like a card of a run. */
function callers({ withJobs = [] as string[], slots = 1, delayMs = 1_000 } = {}) {
  let time = 0;
  const ran: string[] = [];
  const options = { longCallMs: 2_000, delayMs, slots, closing: signal, now: () => time };
  const slow = createSlowCallers({ ...options, listPeopleWithJobs: async () => withJobs });
  const lookUp = (userId: string, givenUp = signal) => {
    const work = async () => {
      await slow.demandNoWait(userId);
      ran.push(userId);
    };
    return slow.runSingle(userId, work, givenUp);
  };
  const mayGo = async (userId: string) => (await slow.waitMs(userId)) === 0;
  const note = (userId: string, ms: number): void => {
    const visit = slow.arrive(userId);
    visit.enter();
    slow.note(userId, ms);
    visit.leave();
  };
  return { ...slow, note, lookUp, mayGo, ran, pass: (ms: number) => (time += ms) };
}

/** Longer than between two checks of whether a wait is over. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_200));

test("a single lookup waits after a slow card, but only as long as others could need to catch up", async () => {
  const { note, lookUp, ran, pass } = callers({ withJobs: ["colleague"] });
  for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  note("one", HUNG_MS);
  const waiting = lookUp("one");
  await lookUp("colleague");
  pass(41_000);
  await aMoment();
  expect(ran).toEqual(["colleague"]);
  pass(2_000);
  await waiting;
  expect(ran).toEqual(["colleague", "one"]);
});

/** The normal cards of a colleague until a person may go, long enough after a slow card. */
async function colleaguesCardsUntil(
  person: string,
  { note, mayGo, pass }: Pick<ReturnType<typeof callers>, "note" | "mayGo" | "pass">,
) {
  let cards = 0;
  await mayGo(person);
  pass(7_500);
  for (; cards < 500 && !(await mayGo(person)); cards += 1) note("colleague", NORMAL_MS);
  return cards;
}

test("a wait ends once the others have had as much time", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"] });
  for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  note("one", HUNG_MS);
  expect(await colleaguesCardsUntil("one", { note, mayGo, pass })).toBe(26);
});

test("the cards of someone whose cards are always slow cost up to one and a half times their time", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"] });
  for (let cards = 0; cards < 20; cards += 1) {
    for (const ms of [NORMAL_MS, HUNG_MS].slice(cards && 1)) note("one", ms);
    await colleaguesCardsUntil("one", { note, mayGo, pass });
  }
  note("one", HUNG_MS);
  const cards = await colleaguesCardsUntil("one", { note, mayGo, pass });
  expect(cards).toBeGreaterThan(35);
  expect(cards).toBeLessThan(45);
});

test("slow cards that take less than half of a person's time in the lane cost no more than normal ones", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"] });
  for (let cards = 0; cards < 30; cards += 1) for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  note("one", HUNG_MS);
  expect(await colleaguesCardsUntil("one", { note, mayGo, pass })).toBe(0);
});

test("people whose cards are normal never wait", async () => {
  const { note, mayGo } = callers({ withJobs: ["one", "another"] });
  for (let cards = 0; cards < 100; cards += 1) note("colleague", NORMAL_MS);
  note("one", HUNG_MS);
  expect(await mayGo("colleague")).toBe(true);
});

test("newcomers begin with what the others have spent on average", async () => {
  const { note, mayGo } = callers({ withJobs: ["colleague"] });
  for (let cards = 0; cards < 1_000; cards += 1) note("colleague", NORMAL_MS);
  note("newcomer", HUNG_MS);
  note("colleague", NORMAL_MS);
  expect(await mayGo("newcomer")).toBe(false);
});

test("a person doesn't save up time while they have no cards", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"] });
  for (let minutes = 0; minutes < 10; minutes += 1) {
    note("one", NORMAL_MS);
    for (let seconds = 0; seconds < 40; seconds += 1) {
      pass(1_000);
      note("colleague", NORMAL_MS);
    }
  }
  for (let cards = 0; cards < 2; cards += 1) note("one", HUNG_MS);
  pass(7_500);
  note("colleague", NORMAL_MS);
  expect(await mayGo("one")).toBe(false);
});

test("cards in the lane's slots count before they end", async () => {
  const { note, mayGo, arrive, pass } = callers({ withJobs: ["colleague"] });
  for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  note("one", HUNG_MS);
  await colleaguesCardsUntil("one", { note, mayGo, pass });
  const visit = arrive("one");
  expect(await mayGo("one")).toBe(true);
  visit.enter();
  expect(await mayGo("one")).toBe(false);
  visit.leave();
  expect(await mayGo("one")).toBe(true);
});

test("the more slots a lane has, the shorter are the waits", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"], slots: 8 });
  for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  note("one", HUNG_MS);
  expect(await mayGo("one")).toBe(false);
  pass(5_200);
  expect(await mayGo("one")).toBe(false);
  pass(200);
  expect(await mayGo("one")).toBe(true);
});

test("slow cards cost something in a lane without a delay, too", async () => {
  const { note, mayGo } = callers({ withJobs: ["colleague"], delayMs: 0 });
  for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  expect(await mayGo("one")).toBe(true);
  note("one", HUNG_MS);
  expect(await mayGo("one")).toBe(false);
});

test("no one waits if no one else needs the lane", async () => {
  const { note, mayGo, pass } = callers();
  note("colleague", NORMAL_MS);
  note("one", HUNG_MS);
  expect(await mayGo("one")).toBe(false);
  pass(10_000);
  for (let cards = 0; cards < 5; cards += 1) note("one", HUNG_MS);
  expect(await mayGo("one")).toBe(true);
});

test("while everyone's cards are slow, someone may always go, and all get the same number of cards", async () => {
  const people = ["one", "another", "a third"];
  const { note, mayGo, pass } = callers({ withJobs: people });
  const had: string[] = [];
  for (const person of people) note(person, HUNG_MS);
  while (had.length < 30) {
    pass(HUNG_MS);
    const next: string[] = [];
    for (const person of people) if (await mayGo(person)) next.push(person);
    expect(next).not.toEqual([]);
    had.push(next[0] ?? "");
    note(next[0] ?? "", HUNG_MS);
  }
  for (const person of people) expect(Math.abs(had.filter((one) => one === person).length - 10)).toBeLessThan(2);
});

test("no one waits for people whose own cards wait, until they ask again", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["one", "another"] });
  for (const person of ["one", "another", "colleague"]) note(person, NORMAL_MS);
  for (const person of ["one", "another", "one", "another", "one"]) note(person, HUNG_MS);
  expect([await mayGo("another"), await mayGo("one")]).toEqual([false, false]);
  // The colleague no longer needs the lane.
  pass(11_000);
  expect(await mayGo("one")).toBe(true);
  note("one", HUNG_MS);
  pass(4_000);
  expect(await mayGo("one")).toBe(false);
});

test("after a slow card, people who had one about as slow wait for a quarter of its excess", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"] });
  note("one", HUNG_MS);
  for (let cards = 0; cards < 200; cards += 1) note("one", NORMAL_MS);
  for (let cards = 0; cards < 400; cards += 1) note("colleague", NORMAL_MS);
  pass(7_500);
  expect(await mayGo("one")).toBe(true);
  note("another", HUNG_MS);
  pass(7_100);
  expect(await mayGo("one")).toBe(false);
  pass(200);
  expect(await mayGo("one")).toBe(true);
  note("another", 5_000);
  expect(await mayGo("one")).toBe(true);
});

test("a wait ends after half an hour", async () => {
  const { note, mayGo, pass } = callers({ withJobs: ["colleague"] });
  for (const person of ["one", "colleague"]) note(person, NORMAL_MS);
  for (let cards = 0; cards < 100; cards += 1) note("one", HUNG_MS);
  let waits = 0;
  for (; waits < 3_000 && !(await mayGo("one")); waits += 1) pass(1_000);
  expect(waits).toBe(1_800);
});

test("a client that disconnects no longer waits", async () => {
  const { note, lookUp, ran } = callers({ withJobs: ["colleague"] });
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

const normal: Card = () => NORMAL_MS;
const hung: Card = () => HUNG_MS;
const slow: Card = () => 5_000;
const every =
  (nth: number, ms: number): Card =>
  (index) =>
    index % nth === nth - 1 ? ms : NORMAL_MS;
const onlyAt =
  (...indexes: number[]): Card =>
  (index) =>
    indexes.includes(index) ? HUNG_MS : NORMAL_MS;
const after =
  (count: number, card: Card): Card =>
  (index, minute) =>
    index < count ? NORMAL_MS : card(index, minute);

/** The cards per minute of a colleague beside other people, without the first minutes, in which the lane gets to know them. */
async function perMinute(colleague: Card, others: readonly Run[], { minutes = 12, settled = 4 } = {}) {
  const { settledAt } = await simulateLane([{ name: "colleague", card: colleague }, ...others], {
    minutes,
    delayMs: 1_000,
  });
  const later = settledAt("colleague").filter((at) => at >= settled * 60_000);
  return later.length / (minutes - settled);
}

const people = (count: number, card: Card, more: Partial<Run> = {}): Run[] =>
  Array.from({ length: count }, (_, n) => ({ name: `person ${n + 1}`, card, ...more }));

const clean = { name: "another colleague", card: normal };
const SINGLES = { singles: { atOnce: 2, pauseMs: 0 } };
const MINUTE_MS = 60_100;
const caller = { name: "a caller", card: normal, singles: { atOnce: 1, pauseMs: 500 } };
const RETRIES = { retriesAfterMs: [30_000, 60_000, 120_000] };

test.each<[what: string, colleague: Card, others: Run[]]>([
  ["four people's cards hang", normal, people(4, hung)],
  ["four people's cards take 5 s", normal, people(4, slow)],
  ["eight people's cards hang", normal, people(8, hung)],
  ["one person's cards hang", normal, people(1, hung)],
  ["two people's cards take a minute", normal, people(2, () => MINUTE_MS)],
  ["every tenth card of four people takes a minute", normal, people(4, every(10, MINUTE_MS))],
  ["every other card of four people takes 5 s", normal, people(4, every(2, 5_000))],
  ["every fourth card of four people hangs", normal, people(4, every(4, HUNG_MS))],
  ["every sixth card of four people takes 5 s", normal, people(4, every(6, 5_000))],
  ["every 30th card of four people hangs", normal, people(4, every(30, HUNG_MS))],
  [
    "every sixth of four people's single lookups takes a minute",
    normal,
    [caller, ...people(4, every(6, MINUTE_MS), SINGLES)],
  ],
  [
    "every other of four people's single lookups takes a minute, and the others a little too long",
    normal,
    [caller, ...people(4, (index) => (index % 2 === 0 ? MINUTE_MS : 2_200), { singles: { atOnce: 1, pauseMs: 0 } })],
  ],
  ["every fourth card of four people takes a minute", normal, [caller, ...people(4, every(4, MINUTE_MS))]],
  [
    "four people's cards are slow in different ways",
    normal,
    [
      { name: "sometimes a minute", card: every(4, MINUTE_MS) },
      { name: "a little", card: (index) => (index % 8 >= 5 ? 2_500 : NORMAL_MS), singles: { atOnce: 1, pauseMs: 0 } },
      { name: "often a minute", card: (index) => (index % 3 === 0 ? NORMAL_MS : MINUTE_MS), ...RETRIES },
      { name: "sometimes 12 s", card: every(3, 12_000) },
    ],
  ],
  ["four people's PSA cards hang again and again", normal, people(4, hung, RETRIES)],
  ["one PSA card of each of four people hangs again and again", normal, people(4, onlyAt(2), RETRIES)],
  ["one of the colleague's cards and all of four people hang", onlyAt(5), people(4, after(5, hung))],
  ["every 20th of the colleague's cards and all of four people take 5 s", every(20, 5_000), people(4, after(5, slow))],
  [
    "one of the colleague's cards and all of three people hang, but no one else's",
    onlyAt(20),
    [clean, ...people(3, hung)],
  ],
  [
    "one of the colleague's cards and all of one person hang, but no one else's",
    onlyAt(20),
    [clean, ...people(1, hung)],
  ],
  ["every 30th of the colleague's cards and all of three people hang", every(30, HUNG_MS), [clean, ...people(3, hung)]],
  [
    "one of the colleague's cards and all of three people's single lookups hang",
    onlyAt(20),
    [clean, ...people(3, hung, SINGLES)],
  ],
])("a colleague gets at least half of a fair share of a lane in which %s", async (_what, colleague, others) => {
  const fair = 60 / (others.length + 1);
  expect(await perMinute(colleague, others)).toBeGreaterThan(fair / 2);
});

test("a colleague who looks up cards by hand gets at least a third beside people whose cards take a minute", async () => {
  const byHand = { name: "by hand", card: normal, singles: { atOnce: 1, pauseMs: 5_000 } };
  for (const count of [1, 2, 4]) {
    const beside = async (card: Card) => {
      const { settledAt } = await simulateLane([byHand, ...people(count, card)], { minutes: 25, delayMs: 1_000 });
      return settledAt("by hand").filter((at) => at > 300_000).length;
    };
    expect(await beside(() => MINUTE_MS), `${count}`).toBeGreaterThan((await beside(normal)) / 3);
  }
});

test("a colleague's three cards that hang don't stop their run beside four people whose cards hang", async () => {
  const pace = await perMinute(onlyAt(5, 10, 15), people(4, after(5, hung)), { minutes: 24, settled: 9 });
  expect(pace).toBeGreaterThan(10);
});

test("a colleague whose first cards hung later gets more cards than four people whose cards take 5 s", async () => {
  const pace = await perMinute(onlyAt(5, 10, 15), people(4, after(5, slow)), { minutes: 20, settled: 13 });
  expect(pace).toBeGreaterThan(7);
});

test("four people whose every sixth card takes a minute don't stop a colleague's run for two minutes", async () => {
  const others = [caller, ...people(4, every(6, MINUTE_MS), SINGLES)];
  const { settledAt } = await simulateLane([{ name: "colleague", card: normal }, ...others], {
    minutes: 20,
    delayMs: 1_000,
  });
  const later = [300_000, ...settledAt("colleague").filter((at) => at > 300_000), 1_200_000];
  expect(Math.max(...later.slice(1).map((at, n) => at - (later[n] ?? 0)))).toBeLessThan(120_000);
});

test("four people whose cards take a minute leave at least half to a colleague whose every twelfth card does", async () => {
  const beside = (card: Card) => perMinute(every(12, MINUTE_MS), [caller, ...people(4, card)], { minutes: 20 });
  expect(await beside(() => MINUTE_MS)).toBeGreaterThan((await beside(normal)) / 2);
});

test("people whose minute-long cards come at the same time again and again stop a colleague's run only once", async () => {
  const inStep = (): Card => {
    let due = 1;
    return (_index, minute) => {
      if (minute < due) return NORMAL_MS;
      due += 15;
      return MINUTE_MS;
    };
  };
  const others = Array.from({ length: 4 }, (_, n) => ({ name: `person ${n + 1}`, card: inStep() }));
  const runs = [{ name: "colleague", card: normal }, caller, ...others];
  const { settledAt } = await simulateLane(runs, { minutes: 36, delayMs: 1_000 });
  for (const { name } of [runs[0] ?? caller, caller]) {
    const inThreeMinutes = (from: number) =>
      settledAt(name).filter((at) => at >= from * 60_000 && at < (from + 3) * 60_000).length;
    const least = Math.min(...Array.from({ length: 26 }, (_, n) => inThreeMinutes(7 + n)));
    // Beside four people with normal cards, it would be 30.
    expect(least, name).toBeGreaterThan(10);
  }
});

const lasting =
  (ms: number): Card =>
  () =>
    ms;
test.each<[who: string, others: Run[]]>([
  [
    "one person whose cards hang and three whose cards take 3 s",
    [MINUTE_MS, 3_000, 3_000, 3_000].map((ms, n) => ({ name: `person ${n + 1}`, card: lasting(ms) })),
  ],
  [
    "three people whose cards are a little slow",
    [
      { name: "a run", card: lasting(2_500) },
      { name: "singles", card: lasting(4_000), ...SINGLES },
      { name: "faster singles", card: lasting(2_200), ...SINGLES },
      { name: "a normal run", card: normal },
    ],
  ],
])("%s leave a third to a colleague whose every 20th card hangs", async (_who, others) => {
  const beside = (runs: readonly Run[]) =>
    perMinute(every(20, HUNG_MS), [clean, caller, ...runs], { minutes: 45, settled: 15 });
  const ordinary = await beside(others.map((run) => ({ ...run, card: normal })));
  expect(await beside(others)).toBeGreaterThan(ordinary / 3);
});

test("a person whose every other card is slow isn't stopped by one whose cards hang", async () => {
  const others = [
    { name: "hung", card: hung },
    { name: "slow", card: every(2, 5_000) },
  ];
  const { settledAt } = await simulateLane([{ name: "colleague", card: normal }, ...others], {
    minutes: 10,
    delayMs: 1_000,
  });
  for (const { name } of others) expect(settledAt(name).length, name).toBeGreaterThan(4);
});

test.each<[who: string, fast: Run[]]>([
  ["everyone", []],
  ["all but one person", [clean]],
])("while a grader is slow for %s, and afterward, runs don't stop", async (_who, fast) => {
  const slowPhase: Card = (_index, minute) => (minute > 1 && minute < 5 ? 3_000 : NORMAL_MS);
  const runs = [...people(4, slowPhase), ...fast];
  const { settledAt } = await simulateLane(runs, { minutes: 9, delayMs: 1_000 });
  for (const { name } of runs) {
    const inMinutes = (from: number, to: number) =>
      settledAt(name).filter((at) => at >= from * 60_000 && at < to * 60_000).length / (to - from);
    expect(inMinutes(1, 5), name).toBeGreaterThan(1);
    expect(inMinutes(6, 9), name).toBeGreaterThan(0.8 * (60 / runs.length));
  }
});
