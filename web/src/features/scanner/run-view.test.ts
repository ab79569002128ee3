import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { describe, expect, test } from "vitest";
import { aFoundRow, aRow } from "../../table/row-factory.test-data.ts";
import {
  addSample,
  lanesOf,
  type Lanes,
  paceOf,
  type PaceSample,
  progressOf,
  timeLeftWords,
  titleOf,
  tookWords,
} from "./run-view.ts";

const session = (fields: Partial<ScanSession>) => ({
  counts: {},
  processedCards: 0,
  totalCards: 212,
  status: "processing" as const,
  sessionName: "dallas",
  ...fields,
});

test("the figures gather the states staff know apart", () => {
  const counts = {
    completed: 110,
    completed_retry: 8,
    queued: 5,
    waiting: 1,
    error: 3,
    failed: 1,
    processing: 2,
    pending: 82,
  };
  expect(progressOf(session({ counts, processedCards: 122 }))).toEqual({
    done: 118,
    queued: 6,
    needYou: 4,
    inFlight: 2,
    pending: 82,
    processed: 122,
    total: 212,
    percent: 57,
  });
});

test.each([
  [0, 212, 0],
  [211, 212, 99],
  [212, 212, 100],
  [0, 0, 0],
])("%i of %i cards are %i percent: 100 is said only at the end", (processedCards, totalCards, percent) => {
  expect(progressOf(session({ processedCards, totalCards })).percent).toBe(percent);
});

test("lanes count settled and open cards of each company; rows of no company are in none", () => {
  const rows = [
    aFoundRow(),
    aRow({ status: "error" }),
    aRow(),
    aRow({ status: "queued" }),
    aRow({ gradingCompany: "CGC" }),
    aRow({ gradingCompany: "BGS", status: "error" }),
  ];
  expect(lanesOf(rows)).toEqual({
    PSA: { settled: 2, open: 2 },
    CGC: { settled: 0, open: 1 },
    TAG: { settled: 0, open: 0 },
  });
});

describe("the pace", () => {
  const lanes = (psa: [number, number], cgc: [number, number] = [0, 0]): Lanes => ({
    PSA: { settled: psa[0], open: psa[1] },
    CGC: { settled: cgc[0], open: cgc[1] },
    TAG: { settled: 0, open: 0 },
  });
  const pace = (...samples: PaceSample[]) => paceOf(samples);

  test("is unknown until ten seconds and three cards were seen", () => {
    expect(pace()).toEqual({ perMinute: null, minutesLeft: null });
    expect(pace({ atMs: 0, lanes: lanes([0, 50]) }, { atMs: 9_000, lanes: lanes([9, 41]) })).toEqual({
      perMinute: null,
      minutesLeft: null,
    });
    expect(pace({ atMs: 0, lanes: lanes([0, 50]) }, { atMs: 30_000, lanes: lanes([2, 48]) })).toEqual({
      perMinute: null,
      minutesLeft: null,
    });
  });

  test("is what was seen, not what stood there before", () => {
    expect(pace({ atMs: 0, lanes: lanes([100, 50]) }, { atMs: 30_000, lanes: lanes([110, 40]) })).toEqual({
      perMinute: 20,
      minutesLeft: 2,
    });
  });

  test("the slowest lane says when it ends, not the common speed", () => {
    const left = pace({ atMs: 0, lanes: lanes([0, 100], [0, 20]) }, { atMs: 60_000, lanes: lanes([10, 90], [10, 10]) });
    expect(left).toEqual({ perMinute: 20, minutesLeft: 9 });
  });

  test("a lane that stands still has no known end, the speed is said all the same", () => {
    const left = pace({ atMs: 0, lanes: lanes([0, 100], [0, 20]) }, { atMs: 60_000, lanes: lanes([0, 100], [10, 10]) });
    expect(left).toEqual({ perMinute: 10, minutesLeft: null });
  });

  test("samples older than two minutes are forgotten", () => {
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
])("%d minutes left read %j", (minutes, words) => {
  expect(timeLeftWords(minutes)).toBe(words);
});

test("a finished run says how long it took", () => {
  expect(tookWords("2026-11-21T10:00:00Z", "2026-11-21T10:06:20Z")).toBe("Took 6 min");
});

test("the document's title shows the progress while a run is on, and only then", () => {
  expect(titleOf(session({ processedCards: 106 }), "Slabdesk")).toBe("50% · dallas · Slabdesk");
  expect(titleOf(session({ status: "completed" }), "Slabdesk")).toBeNull();
});
