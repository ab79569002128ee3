import { describe, expect, test } from "vitest";
import {
  admit,
  stateOf,
  next,
  quotaOf,
  resume,
  UNUSED,
  withoutQuotaPause,
  type RunRequest,
  type EndpointRecord,
  type EndpointReport,
} from "./breaker-rules.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const inS = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const QUOTA = { perDay: 10, perCard: 2 };
const AT = { quota: QUOTA, now: NOW };

type Changes = Partial<EndpointRecord>;
const recordOf = (changes: Changes): EndpointRecord => ({ ...UNUSED, ...changes });

const BLOCKED = { paused_at: inS(-60), pause_code: "blocked", pause_message: "a wall" } as const;
const PAUSED: Changes = { ...BLOCKED, failures: 5, pauses: 1, paused_until: inS(30) };
const DUE: Changes = { ...PAUSED, paused_until: inS(-1) };
const PROBING: Changes = { ...DUE, probe_until: inS(20) };
const GONE = { paused_at: inS(-60), pause_code: "quota_exhausted", pause_message: "used up" } as const;

const WORKS: EndpointReport = { kind: "works" };
const UNCLEAR: EndpointReport = { kind: "unclear", message: "timeout" };
const FAILS: EndpointReport = { kind: "fails", code: "blocked", message: "a wall" };
const gone = (until: Date | null, limit: number | null = null): EndpointReport => ({
  kind: "quota_gone",
  until,
  limit,
  message: "used up",
});

const PATIENCE_MS = 1_800_000;
const asked = (at: Date): RunRequest => ({ at, patienceMs: PATIENCE_MS });
const OUTAGE: Changes = { ...PAUSED, pause_code: "unavailable", pause_message: "an outage", paused_until: inS(600) };
const WALLED: Changes = { ...DUE, pauses: 2, walled_at: inS(-10), paused_until: inS(-10) };

const STOPPED: Changes = { pause_code: "forbidden", pause_message: "not approved", paused_at: NOW, walled_at: NOW };

describe("the state", () => {
  test.each<[state: string, changes: Changes, state: object]>([
    ["open", {}, { kind: "open" }],
    ["paused", PAUSED, { kind: "paused", until: inS(30), code: "blocked", message: "a wall" }],
    ["due when the pause has ended", { ...DUE, paused_until: NOW }, { kind: "due" }],
    ["probing", PROBING, { kind: "probing", until: inS(1), code: "blocked", message: "a wall" }],
    ["due when the probe has not reported in time", { ...PROBING, probe_until: NOW }, { kind: "due" }],
    ["open while the quota lasts", { used: 9, window_started_at: inS(-60) }, { kind: "open" }],
    [
      "paused when it is used up",
      { used: 10, window_started_at: inS(-60) },
      { kind: "paused", until: inS(DAY_S - 60), code: "quota_exhausted" },
    ],
    ["open when the window is over", { used: 10, window_started_at: inS(-DAY_S) }, { kind: "open" }],
  ])("is %s", (_state, changes, state) => {
    expect(stateOf(recordOf(changes), asked(NOW), AT)).toMatchObject(state);
  });

  const WALL = { kind: "closed", code: "blocked", message: "a wall. Not retried: earlier calls were refused" };
  const PATIENT = { kind: "paused", code: "unavailable", message: "an outage" };
  test.each<[state: string, changes: Changes, requestedAt: Date, state: object]>([
    ["closed by a wall for a run from before its probe", WALLED, inS(-11), WALL],
    ["due for the next run", WALLED, inS(-9), { kind: "due" }],
    ["probing for other new runs", { ...WALLED, probe_until: inS(20) }, inS(-9), { kind: "probing" }],
    ["still closed for the old ones", { ...WALLED, probe_until: inS(20) }, inS(-11), WALL],
    ["closed for new runs, too, while no probe is allowed", { ...WALLED, paused_until: inS(60) }, inS(-9), WALL],
    ["closed for every run until an administrator acts", STOPPED, inS(9), { kind: "closed", code: "forbidden" }],
    ["paused by an outage", OUTAGE, NOW, { ...PATIENT, until: inS(600) }],
    ["paused at most until the run's patience ends", OUTAGE, inS(-1_300), { ...PATIENT, until: inS(600) }],
    [
      "which begins with the run",
      { ...OUTAGE, paused_at: inS(-3_000), paused_until: inS(800) },
      inS(-1_300),
      { ...PATIENT, until: inS(500) },
    ],
    [
      "or with the outage",
      { ...OUTAGE, paused_at: inS(-1_800) },
      inS(-9_000),
      { kind: "closed", code: "unavailable", message: "an outage. It did not recover within 30 minutes" },
    ],
    ["paused by a quota however long it takes", { ...GONE, paused_until: inS(60) }, inS(-90_000), { kind: "paused" }],
  ])("is %s", (_state, changes, requestedAt, state) => {
    expect(stateOf(recordOf(changes), asked(requestedAt), { now: NOW })).toMatchObject(state);
  });
});

describe("the quota", () => {
  test.each<[what: string, changes: Changes, quota: object]>([
    ["before the first call", {}, { limit: 10, used: 0, remaining: 10, startedAt: null, resetsAt: null }],
    [
      "in its window",
      { used: 3, window_started_at: inS(-60) },
      { used: 3, remaining: 7, startedAt: inS(-60), resetsAt: inS(DAY_S - 60) },
    ],
    ["after its window", { used: 3, window_started_at: inS(-DAY_S) }, { used: 0, startedAt: null, resetsAt: null }],
    ["with a learned limit", { learned_limit: 4, learned_at: inS(-6 * DAY_S) }, { limit: 4 }],
    ["with a limit learned a week ago", { learned_limit: 4, learned_at: inS(-7 * DAY_S) }, { limit: 10 }],
    ["with a larger limit than is set", { learned_limit: 40, learned_at: NOW }, { limit: 10 }],
    [
      "after a 429, whoever made the calls",
      { ...GONE, paused_until: inS(30), used: 1, window_started_at: inS(-60) },
      { used: 10, remaining: 0, resetsAt: inS(30) },
    ],
  ])("%s", (_what, changes, quota) => {
    expect(quotaOf(recordOf(changes), AT)).toMatchObject(quota);
  });

  test("is null for an endpoint without one", () => {
    expect(quotaOf(UNUSED, { now: NOW })).toBeNull();
  });
});

test.each<[what: string, changes: Changes, quota: typeof QUOTA | undefined, after: Changes, rest: object]>([
  ["an open endpoint", {}, undefined, {}, { isProbe: false, reserved: 0 }],
  ["a due endpoint", DUE, undefined, { ...DUE, probe_until: inS(20) }, { isProbe: true, reserved: 0 }],
  ["the first of a window", {}, QUOTA, { used: 2, window_started_at: NOW }, { isProbe: false, reserved: 2 }],
  [
    "another of a window",
    { used: 2, window_started_at: inS(-60) },
    QUOTA,
    { used: 4, window_started_at: inS(-60) },
    { isProbe: false, reserved: 2 },
  ],
  [
    "one with a single call left",
    { used: 9, window_started_at: inS(-60) },
    QUOTA,
    { used: 10, window_started_at: inS(-60) },
    { isProbe: false, reserved: 1 },
  ],
  [
    "one with a limit of one call",
    { learned_limit: 1, learned_at: NOW },
    QUOTA,
    { learned_limit: 1, learned_at: NOW, used: 1, window_started_at: NOW },
    { isProbe: false, reserved: 1 },
  ],
])("admitting a lookup: %s", (_what, changes, quota, after, rest) => {
  const { record, ...admitted } = admit(recordOf(changes), { probeLeaseMs: 20_000 }, { quota, now: NOW });
  expect([record, admitted]).toEqual([recordOf(after), rest]);
});

describe("after a report", () => {
  const DOWN: EndpointReport = { kind: "fails", code: "unavailable", message: "an outage" };
  const DOWN_SINCE = { pause_code: "unavailable", pause_message: "an outage" } as const;
  const DOWN_PROBING: Changes = { ...PROBING, ...DOWN_SINCE };
  const walled = (pauses: number, seconds: number): Changes => ({
    ...PAUSED,
    failures: 6,
    pauses,
    paused_until: inS(seconds),
    walled_at: NOW,
  });
  const pausedAgain = (pauses: number, seconds: number): Changes => ({
    ...PAUSED,
    ...DOWN_SINCE,
    failures: 6,
    pauses,
    paused_until: inS(seconds),
  });
  const refused = (pauses: number, seconds: number): Changes => ({ ...GONE, pauses, paused_until: inS(seconds) });
  const STOPS: EndpointReport = { kind: "fails", code: "forbidden", message: "not approved", needsAdministrator: true };
  const LATE: Changes = { ...GONE, paused_until: inS(300), probe_until: inS(20) };

  test.each<[what: string, before: Changes, report: EndpointReport, isProbe: boolean, after: Changes]>([
    ["success ends a row of failures", { failures: 4 }, WORKS, false, {}],
    ["the fourth failure only counts", { failures: 3 }, FAILS, false, { failures: 4 }],
    [
      "the fifth failure pauses for a minute",
      { failures: 4 },
      DOWN,
      false,
      { ...DOWN_SINCE, failures: 5, pauses: 1, paused_at: NOW, paused_until: inS(60) },
    ],
    [
      "if it is a refusal, for half a minute",
      { failures: 4 },
      FAILS,
      false,
      { ...BLOCKED, failures: 5, pauses: 1, paused_at: NOW, paused_until: inS(30) },
    ],
    [
      "an outage counts once per card",
      { failures: 4, failed_cards: ["1"] },
      { ...DOWN, card: "1" },
      false,
      { failures: 4, failed_cards: ["1"] },
    ],
    [
      "a refusal counts each time",
      { failures: 3, failed_cards: ["1"] },
      { ...FAILS, card: "1" },
      false,
      { failures: 4, failed_cards: ["1"] },
    ],
    [
      "an outage of another card counts",
      { failures: 3, failed_cards: ["1"] },
      { ...DOWN, card: "2" },
      false,
      { failures: 4, failed_cards: ["1", "2"] },
    ],
    ["success forgets the cards", { failures: 4, failed_cards: ["1"] }, WORKS, false, {}],
    ["unclear reports don't count", { failures: 4 }, UNCLEAR, false, { failures: 4 }],
    ["a late failure doesn't extend the pause", PAUSED, FAILS, false, { ...PAUSED, failures: 6 }],
    ["a late success ends the pause", PAUSED, WORKS, false, {}],
    ["a probe that works opens the endpoint", PROBING, WORKS, true, {}],
    ["a failed probe doubles the pause", DOWN_PROBING, DOWN, true, pausedAgain(2, 120)],
    ["no pause is longer than 15 minutes", { ...DOWN_PROBING, pauses: 9 }, DOWN, true, pausedAgain(10, 900)],
    ["even after very many of them", { ...DOWN_PROBING, pauses: 5_000 }, DOWN, true, pausedAgain(5_001, 900)],
    ["a refused probe is a wall", PROBING, FAILS, true, walled(2, 0)],
    ["which the next run may probe at once", { ...PROBING, pauses: 3, walled_at: inS(-9) }, FAILS, true, walled(4, 0)],
    ["three times", { ...PROBING, pauses: 4, walled_at: inS(-9) }, FAILS, true, walled(5, 60)],
    ["then later each time", { ...PROBING, pauses: 5, walled_at: inS(-9) }, FAILS, true, walled(6, 120)],
    ["at most 15 minutes later", { ...PROBING, pauses: 50, walled_at: inS(-9) }, FAILS, true, walled(51, 900)],
    ["a late failure changes nothing at a wall", WALLED, FAILS, false, { ...WALLED, failures: 6 }],
    ["a probe that works ends the wall", { ...WALLED, probe_until: inS(20) }, WORKS, true, {}],
    ["so does a late success", WALLED, WORKS, false, {}],
    ["a refusal that needs an administrator stops at once", { failures: 1 }, STOPS, false, { ...STOPPED, failures: 1 }],
    ["then nothing but a success changes it", STOPPED, gone(inS(300), 100), false, STOPPED],
    ["which ends it", STOPPED, WORKS, false, {}],
    [
      "the patience with an outage starts over after a wall",
      { ...WALLED, probe_until: inS(20) },
      DOWN,
      true,
      { ...DOWN_SINCE, failures: 6, pauses: 3, paused_at: NOW, paused_until: inS(240) },
    ],
    [
      "so does an unclear probe",
      PROBING,
      UNCLEAR,
      true,
      { ...pausedAgain(2, 120), failures: 5, paused_at: NOW, pause_code: "timeout", pause_message: "timeout" },
    ],
    [
      "the first lookup after a quota pause is no probe if it fails",
      { ...refused(3, -1) },
      FAILS,
      true,
      { failures: 1 },
    ],
    ["nor if it is unclear", { ...refused(3, -1) }, UNCLEAR, true, {}],
    ["a late failure doesn't shorten a quota pause", LATE, FAILS, true, { ...LATE, failures: 1 }],
    ["a late success doesn't end a quota pause", LATE, WORKS, false, LATE],
    ["its probe does", { ...LATE, paused_until: inS(-1) }, WORKS, true, {}],
    [
      "a 429 pauses until the named time",
      { failures: 3 },
      gone(inS(300)),
      false,
      { ...refused(0, 300), paused_at: NOW },
    ],
    ["a 429 without a time pauses for a day", {}, gone(null), false, { ...refused(0, DAY_S), paused_at: NOW }],
    ["a probe refused with 'now' waits a second", refused(0, -1), gone(NOW), true, refused(1, 1)],
    ["then two", refused(1, -1), gone(NOW), true, refused(2, 2)],
    ["but not longer than the named time if that is later", refused(1, -1), gone(inS(30)), true, refused(2, 30)],
  ])("%s", (_what, before, report, isProbe, after) => {
    expect(next(recordOf(before), { ...report, isProbe, refund: 0 }, { now: NOW })).toEqual(recordOf(after));
  });

  test("unused calls are returned", () => {
    for (const report of [WORKS, UNCLEAR]) {
      const given = next(recordOf({ used: 5 }), { ...report, isProbe: false, refund: 2 }, AT);
      expect(given).toEqual(recordOf({ used: 3 }));
    }
    expect(next(recordOf({ used: 1 }), { ...FAILS, isProbe: false, refund: 2 }, AT).used).toBe(0);
  });

  test("a 429 without a time lasts until the window ends; one with a limit moves the window and sets the limit", () => {
    const before = recordOf({ used: 4, window_started_at: inS(-5 * HOUR_S) });
    const told = (report: EndpointReport) => next(before, { ...report, isProbe: false, refund: 0 }, AT);
    expect(told(gone(null))).toMatchObject({ paused_until: inS(19 * HOUR_S), learned_limit: null, used: 4 });
    expect(told(gone(inS(HOUR_S), 6))).toMatchObject({
      paused_until: inS(HOUR_S),
      window_started_at: inS(HOUR_S - DAY_S),
      learned_limit: 6,
      learned_at: NOW,
    });
  });
});

test("resuming ends every pause and forgets the limit, but no calls", () => {
  const manual = { manually_paused_at: NOW, manually_paused_by: "Ana" };
  const learned = { learned_limit: 4, learned_at: NOW, used: 3, window_started_at: NOW };
  const counted = { learned_at: NOW, used: 3, window_started_at: NOW };
  expect(resume(recordOf(STOPPED))).toEqual({ record: UNUSED, result: true });
  expect(resume(UNUSED).result).toBe(false);
  expect(resume(recordOf({ ...PROBING, ...manual, ...learned }))).toEqual({ record: recordOf(counted), result: true });
  expect(withoutQuotaPause(recordOf({ ...GONE, paused_until: NOW, ...learned }))).toEqual(recordOf(counted));
  expect(withoutQuotaPause(recordOf({ ...PAUSED, ...learned }))).toEqual(recordOf({ ...PAUSED, ...counted }));
});
