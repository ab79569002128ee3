import type { PriceState } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { describe, expect, test } from "vitest";
import { aFoundRow, aRow } from "./row-factory.test-data.ts";
import {
  addSample,
  announcementOf,
  hasOnlyPricesLeft,
  lanesOf,
  type Lanes,
  leftOver,
  onlyLeft,
  paceOf,
  type PaceSample,
  progressOf,
  formatTimeLeft,
  titleOf,
  tookMessage,
} from "./run-progress.ts";
import { aSession } from "./session-factory.test-data.ts";

const session = (fields: Partial<ScanSession>): ScanSession => aSession({ counts: {}, totalCards: 212, ...fields });

const MIXED = session({
  counts: {
    completed: 110,
    completed_retry: 8,
    queued: 5,
    waiting: 46,
    error: 27,
    failed: 1,
    processing: 2,
    pending: 13,
  },
  causes: {
    not_found: 5,
    timeout: 4,
    unavailable: 10,
    invalid_number: 2,
    invalid_row: 1,
    not_configured: 3,
    forbidden: 1,
  },
  processedCards: 146,
});

test("the numbers group the row states as staff name them", () => {
  expect(progressOf(MIXED)).toEqual({
    done: 118,
    inFlight: 2,
    pending: 13,
    queued: 5,
    waiting: 46,
    failures: { not_found: 5, outage: 14, invalid: 3, needs_admin: 6 },
    processed: 146,
    total: 212,
    percent: 68,
  });
});

test("failures without a cause need a person; every cause is counted once", () => {
  expect(progressOf(session({ counts: { error: 3 }, causes: { timeout: 3 } })).failures.needs_admin).toBe(0);
  expect(progressOf(session({ counts: { error: 3 }, causes: { timeout: 1 } })).failures.needs_admin).toBe(2);
});

test("a stopped run has its open cards of all states left", () => {
  expect(leftOver(progressOf(MIXED))).toBe(66);
});

test.each<[Partial<ScanSession["counts"]>, ReturnType<typeof onlyLeft>]>([
  [{ pending: 1, waiting: 4 }, null],
  [{ processing: 1, queued: 4 }, null],
  [{ waiting: 4, queued: 1 }, "waits"],
  [{ queued: 1, completed: 9 }, "retries"],
  [{ completed: 9 }, null],
])("of %j only %s are left", (counts, expected) => {
  expect(onlyLeft(progressOf(session({ counts })))).toBe(expected);
});

test.each([
  [0, 212, 0],
  [211, 212, 99],
  [212, 212, 100],
  [0, 0, 0],
])("%i of %i cards are %i percent: 100 is shown only at the end", (processedCards, totalCards, percent) => {
  expect(progressOf(session({ processedCards, totalCards })).percent).toBe(percent);
});

test("lanes count settled cards and cards to look up, but not waiting cards and those of no company", () => {
  const rows = [
    aFoundRow(),
    aRow({ status: "error" }),
    aRow(),
    aRow({ status: "processing" }),
    aRow({ status: "queued" }),
    aRow({ status: "waiting", outcome: "quota_exhausted" }),
    aRow({ gradingCompany: "CGC" }),
    aRow({ gradingCompany: "BGS", status: "error" }),
  ];
  expect(lanesOf(rows, false)).toEqual({
    PSA: { settled: 2, open: 2 },
    CGC: { settled: 0, open: 1 },
    TAG: { settled: 0, open: 0 },
    cardladder: { settled: 0, open: 0 },
    cardsiq: { settled: 0, open: 0 },
  });
});

test("prices have their own lanes, including prices of cards to come unless they would wait", () => {
  const priced = (cardladder: PriceState | null, cardsiq: PriceState | null = null): ResultRow =>
    aFoundRow({ prices: { cardladder: { state: cardladder, message: "" }, cardsiq: { state: cardsiq, message: "" } } });
  const rows = [priced("priced", "failed"), priced("none", "waiting"), priced("pending"), aRow(), aRow()];
  expect(lanesOf(rows, false)).toMatchObject({
    cardladder: { settled: 2, open: 1 },
    cardsiq: { settled: 1, open: 0 },
  });
  expect(lanesOf(rows, true)).toMatchObject({ cardladder: { settled: 2, open: 3 }, cardsiq: { settled: 1, open: 0 } });
  expect(lanesOf([aFoundRow(), aRow()], true)).toMatchObject({ cardladder: { settled: 0, open: 0 } });
});

test.each([
  ["completed", { completed: 3 }, 2, true],
  ["processing", { completed: 3 }, 2, true],
  ["processing", { completed: 2, waiting: 1 }, 2, true],
  ["processing", { completed: 2, queued: 1 }, 2, false],
  ["processing", { completed: 2, pending: 1 }, 2, false],
  ["processing", { completed: 3 }, 0, false],
  ["failed", { completed: 3 }, 2, true],
  ["failed", { completed: 2, pending: 1 }, 2, true],
  ["failed", { completed: 2, processing: 1 }, 2, false],
] as const)(
  "a session that is %s with %j and %i prices to fetch has only prices left: %j",
  (status, counts, pending, is) => {
    expect(hasOnlyPricesLeft(aSession({ status, counts, prices: { pending, waiting: 0, waits: [] } }))).toBe(is);
  },
);

describe("the speed", () => {
  type Lane = [settled: number, open: number];
  const lane = ([settled, open]: Lane) => ({ settled, open });
  const lanes = (psa: Lane, cgc: Lane = [0, 0], cardladder: Lane = [0, 0]): Lanes => ({
    PSA: lane(psa),
    CGC: lane(cgc),
    TAG: lane([0, 0]),
    cardladder: lane(cardladder),
    cardsiq: lane([0, 0]),
  });
  const pace = (...samples: PaceSample[]) => paceOf(samples);

  test("is unknown until ten seconds and three cards have passed", () => {
    const unknown = { perMinute: null, pricesPerMinute: null, minutesLeft: null };
    expect(pace()).toEqual(unknown);
    expect(pace({ atMs: 0, lanes: lanes([0, 50]) }, { atMs: 9_000, lanes: lanes([9, 41]) })).toEqual(unknown);
    expect(pace({ atMs: 0, lanes: lanes([0, 50]) }, { atMs: 30_000, lanes: lanes([2, 48]) })).toEqual(unknown);
  });

  test("counts only what was observed, not earlier cards", () => {
    expect(pace({ atMs: 0, lanes: lanes([100, 50]) }, { atMs: 30_000, lanes: lanes([110, 40]) })).toEqual({
      perMinute: 20,
      pricesPerMinute: null,
      minutesLeft: 2,
    });
  });

  test("the slowest lane determines the end, not the total speed", () => {
    const left = pace({ atMs: 0, lanes: lanes([0, 100], [0, 20]) }, { atMs: 60_000, lanes: lanes([10, 90], [10, 10]) });
    expect(left).toMatchObject({ perMinute: 20, minutesLeft: 9 });
  });

  test("a card that hangs doesn't change the time left, which comes from the median time of a card", () => {
    const samples = [
      { atMs: 0, lanes: lanes([0, 150]) },
      { atMs: 40_000, lanes: lanes([1, 149]) },
      { atMs: 42_000, lanes: lanes([5, 145]) },
      { atMs: 44_000, lanes: lanes([9, 141]) },
      { atMs: 46_000, lanes: lanes([9, 141]) },
      { atMs: 48_000, lanes: lanes([10, 120]) },
    ];
    expect(pace(...samples)).toMatchObject({ perMinute: 12.5, minutesLeft: 1 });
  });

  test("a stalled lane has no known end; the speed is shown anyway", () => {
    const left = pace({ atMs: 0, lanes: lanes([0, 100], [0, 20]) }, { atMs: 60_000, lanes: lanes([0, 100], [10, 10]) });
    expect(left).toMatchObject({ perMinute: 10, minutesLeft: null });
  });

  test("prices have their own speed, and may take longest", () => {
    const begun = { atMs: 0, lanes: lanes([0, 60], [0, 0], [0, 60]) };
    expect(pace(begun, { atMs: 60_000, lanes: lanes([30, 30], [0, 0], [12, 48]) })).toEqual({
      perMinute: 30,
      pricesPerMinute: 12,
      minutesLeft: 4,
    });
    const cardsDone = { atMs: 0, lanes: lanes([60, 0], [0, 0], [12, 48]) };
    expect(pace(cardsDone, { atMs: 60_000, lanes: lanes([60, 0], [0, 0], [24, 36]) })).toEqual({
      perMinute: null,
      pricesPerMinute: 12,
      minutesLeft: 3,
    });
  });

  test("restarts when prices are fetched again", () => {
    const before: PaceSample = { atMs: 0, lanes: lanes([10, 0], [0, 0], [10, 0]) };
    const after: PaceSample = { atMs: 2_000, lanes: lanes([10, 0], [0, 0], [0, 10]) };
    expect(addSample([before], after)).toEqual([after]);
  });

  test("restarts when settled cards are retried", () => {
    const before: PaceSample = { atMs: 0, lanes: lanes([10, 0]) };
    const after: PaceSample = { atMs: 2_000, lanes: lanes([6, 4]) };
    expect(addSample([before], after)).toEqual([after]);
  });

  test("forgets samples older than two minutes", () => {
    const samples = [0, 60_000, 130_000].reduce<PaceSample[]>(
      (all, atMs) => addSample(all, { atMs, lanes: lanes([0, 1]) }),
      [],
    );
    expect(samples.map(({ atMs }) => atMs)).toEqual([60_000, 130_000]);
  });
});

test.each([
  [0.4, "less than a minute"],
  [1, "about 1 min"],
  [3.2, "about 3 min"],
  [59.7, "about 1 h"],
  [130, "about 2 h 10 min"],
])("%d minutes left read %j", (minutes, message) => {
  expect(formatTimeLeft(minutes)).toBe(message);
});

test("a finished run says how long it took", () => {
  expect(tookMessage("2026-11-21T10:00:00Z", "2026-11-21T10:06:20Z")).toBe("Took 6 min");
});

test("the document's title shows a run's progress, then its end until somebody has seen it", () => {
  const done = session({ status: "completed", sessionName: "dallas" });
  expect(titleOf(session({ processedCards: 106, sessionName: "dallas" }), "Slabdesk", false)).toBe(
    "50% · dallas · Slabdesk",
  );
  const prices = { pending: 180, waiting: 0, waits: [] };
  expect(titleOf(session({ processedCards: 212, sessionName: "dallas", prices }), "Slabdesk", false)).toBe(
    "180 prices left · dallas · Slabdesk",
  );
  expect(titleOf({ ...done, prices }, "Slabdesk", false)).toBeNull();
  expect(titleOf(done, "Slabdesk", true)).toBe("Done · dallas");
  expect(titleOf(done, "Slabdesk", false)).toBeNull();
});

test.each<[string, ScanSession, boolean, string]>([
  ["begins", session({ counts: { pending: 212 } }), false, "Processing started: 212 cards"],
  ["goes on", session({ counts: { pending: 14, completed: 198 } }), true, "Processing continues: 14 cards to look up"],
  ["is done", session({ status: "completed", counts: { completed: 1200 } }), false, "Processing completed: 1,200 done"],
  [
    "is done with failures",
    { ...MIXED, status: "completed" },
    false,
    "Processing completed: 118 done, 5 not found, 14 to retry, 9 to fix",
  ],
  [
    "was stopped",
    session({ status: "failed", counts: { completed: 9, error: 1, pending: 20 }, causes: { invalid_row: 1 } }),
    false,
    "Processing stopped: 9 done, 1 to fix, 20 not looked up",
  ],
  [
    "was stopped with its cards done",
    session({ status: "failed", includePricing: true, counts: { completed: 9 } }),
    false,
    "Processing stopped: 9 done",
  ],
  [
    "has only prices to fetch",
    session({ counts: { completed: 212 }, prices: { pending: 180, waiting: 0, waits: [] } }),
    false,
    "180 prices left",
  ],
])("a run that %s is announced in one sentence", (_name, run, isAgain, message) => {
  expect(announcementOf(run, isAgain)).toBe(message);
});
