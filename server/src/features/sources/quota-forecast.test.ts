import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forecastOf, type Week } from "./quota-forecast.rules.ts";

const NOW = new Date("2026-11-21T09:30:00Z");
/** This many calls in each of these hours of the day, in a week of this many days. */
const week = (byHour: Record<number, number>, days = 7): Week => ({
  callsByHour: Array.from({ length: 24 }, (_, hour) => byHour[hour] ?? 0),
  days,
});
const always = (callsADay: number): Week =>
  week(Object.fromEntries(Array.from({ length: 24 }, (_, h) => [h, (callsADay * 7) / 24])));
const quota = (limit: number, used = 0, resetsAt: string | null = null) => ({
  limit,
  remaining: limit - used,
  resetsAt: resetsAt === null ? null : new Date(resetsAt),
});

describe("the quota forecast", () => {
  test.each<[what: string, from: ReturnType<typeof quota>, at: Week, lastsUntil: string | null]>([
    ["a window that has not begun begins now", quota(100), always(240), "2026-11-21T19:30:00.000Z"],
    ["half of it is left", quota(100, 50), always(240), "2026-11-21T14:30:00.000Z"],
    ["exactly as many as the window needs last exactly", quota(240), always(240), "2026-11-22T09:30:00.000Z"],
    ["more than the window needs", quota(241), always(240), null],
    ["the window ends before", quota(100, 0, "2026-11-21T19:00:00Z"), always(240), null],
    ["in the hour that takes them", quota(100), week({ 14: 1400 }), "2026-11-21T14:30:00.000Z"],
    ["past midnight", quota(100), week({ 3: 700 }), "2026-11-22T04:00:00.000Z"],
    ["only the rest of the current hour counts", quota(100), week({ 9: 700 }), "2026-11-22T09:30:00.000Z"],
    ["a first week of two days", quota(100), week({ 14: 400 }, 2), "2026-11-21T14:30:00.000Z"],
    ["no calls in a week", quota(1), week({}), null],
    ["nothing is left", quota(100, 100, "2026-11-22T08:00:00Z"), always(240), NOW.toISOString()],
  ])("%s", (_what, from, at, lastsUntil) => {
    expect(forecastOf(from, at, NOW).lastsUntil).toBe(lastsUntil);
  });

  test("stays inside the window, is absent with calls left, and is later for a larger limit", () => {
    const weeks = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(
        weeks,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 3_000 }),
        (callsByHour, days, limit) => {
          const at = { callsByHour, days };
          const small = forecastOf(quota(limit), at, NOW);
          const large = forecastOf(quota(limit + 1), at, NOW);
          const made = callsByHour.reduce((sum, calls) => sum + calls, 0) / days;
          expect(small.lastsUntil === null).toBe(made < limit - 1e-6);
          if (small.lastsUntil === null) return expect(large.lastsUntil).toBeNull();
          const until = Date.parse(small.lastsUntil);
          expect(until).toBeGreaterThanOrEqual(NOW.getTime());
          expect(until).toBeLessThanOrEqual(NOW.getTime() + 86_400_000);
          if (large.lastsUntil !== null) expect(Date.parse(large.lastsUntil)).toBeGreaterThanOrEqual(until);
        },
      ),
    );
  });
});

test.each([
  [quota(100), always(63), "100 calls a day is enough at this week's rate (about 63 a day)"],
  [quota(100), always(140), "100 calls a day won't last at this week's rate (about 140 a day)"],
  [quota(100, 100), always(140), "The quota of 100 calls is used up. This week's rate is about 140 a day"],
  [quota(1), week({}), "1 call a day is enough at this week's rate (about 0 a day)"],
])("%s, as text without a time of day", (from, at, message) => {
  expect(forecastOf(from, at, NOW)).toMatchObject({ limit: from.limit, message });
});
