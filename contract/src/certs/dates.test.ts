import { expect, test } from "vitest";
import { formatClock, formatDay, formatExactMoment, formatMoment, formatSeconds, formatSince } from "./dates.ts";

/** Local times, in any time zone. */
const at = (day: number, hours: number, minutes: number): Date => new Date(2026, 10, day, hours, minutes, 9);

test("days, times, and both", () => {
  const time = at(21, 14, 5).toISOString();
  expect([formatDay, formatSeconds, formatMoment, formatExactMoment].map((format) => format(time))).toEqual([
    "Nov 21, 2026",
    "2:05:09 PM",
    "Nov 21, 2026, 2:05 PM",
    "Nov 21, 2026, 2:05:09 PM",
  ]);
});

test.each([
  ["later today", at(21, 10, 53), at(21, 14, 5), "2:05 PM"],
  ["past", at(21, 14, 6), at(21, 14, 5), "2:05 PM"],
  ["five past midnight, seen before it", at(21, 23, 55), at(22, 0, 5), "12:05 AM tomorrow"],
  ["tomorrow", at(21, 8, 0), at(22, 14, 5), "2:05 PM tomorrow"],
  ["in two days", at(21, 8, 0), at(23, 14, 5), "Nov 23, 2026, 2:05 PM"],
])("a time that is %s", (_name, now, until, message) => {
  expect(formatClock(until.toISOString(), now.getTime())).toBe(message);
});

test.each([
  ["today", at(21, 0, 5), "12:05 AM"],
  ["yesterday", at(20, 23, 55), "Nov 20, 2026, 11:55 PM"],
])("a time since %s", (_name, since, message) => {
  expect(formatSince(since.toISOString(), at(21, 8, 0).getTime())).toBe(message);
});
