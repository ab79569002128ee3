import { expect, test } from "vitest";
import { formatCountdown, nextTickMs } from "./wait-messages.ts";

/** Local times, in any time zone. */
const at = (day: number, hours: number, minutes: number, seconds = 0): Date =>
  new Date(2026, 10, day, hours, minutes, seconds);
const iso = (...time: Parameters<typeof at>): string => at(...time).toISOString();

test.each([
  [at(21, 10, 53), "in 3 h 12 min"],
  [at(21, 10, 52, 30), "in 3 h 13 min"],
  [at(21, 12, 5), "in 2 h"],
  [at(21, 13, 35), "in 30 min"],
  [at(21, 14, 3, 59), "in 2 min"],
  [at(21, 14, 4), "in 60 s"],
  [at(21, 14, 4, 18), "in 42 s"],
  [at(21, 14, 5), null],
  [at(21, 15, 0), null],
])("from %s on it is %s", (now, message) => {
  expect(formatCountdown(iso(21, 14, 5), now.getTime())).toBe(message);
});

test("the text changes once a minute, in the last minute once a second, and then stops", () => {
  const until = iso(21, 14, 5);
  expect(nextTickMs([until], at(21, 10, 52, 30).getTime())).toBe(30_000);
  expect(nextTickMs([until], at(21, 10, 53).getTime())).toBe(60_000);
  expect(nextTickMs([until], at(21, 14, 4, 18).getTime() + 400)).toBe(600);
  expect(nextTickMs([until], at(21, 14, 5).getTime())).toBeNull();
  expect(nextTickMs([until, iso(21, 10, 53, 10)], at(21, 10, 53).getTime())).toBe(1_000);
  expect(nextTickMs([], 0)).toBeNull();
});
