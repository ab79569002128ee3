import { expect, test } from "vitest";
import { parseRetryAfter, waitBeforeTryMs } from "./slabdesk-client.ts";

test.each([
  [1, 0, 250],
  [1, 1, 500],
  [2, 1, 1_000],
  [3, 0, 1_000],
  [7, 1, 30_000],
  [500, 0, 15_000],
])("before attempt %i with random value %d, waits %i ms", (tries, random, waitMs) => {
  expect(waitBeforeTryMs(tries, null, random)).toBe(waitMs);
});

test.each([
  [0, 0, 0],
  [5_000, 0, 5_000],
  [5_000, 1, 5_500],
  [86_400_000, 0, 3_600_000],
])("after Retry-After of %i ms with random value %d, waits %i ms, at most an hour", (...row) => {
  const [retryAfterMs, random, waitMs] = row;
  expect(waitBeforeTryMs(1, retryAfterMs, random)).toBe(waitMs);
});

test.each([
  [null, null],
  ["5", 5_000],
  [" 0 ", 0],
  ["Sat, 21 Nov 2026 08:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 07:00:00 GMT", 0],
  ["soon", null],
])("Retry-After: %s", (header, ms) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 10, 21, 8, 0, 0))).toBe(ms);
});
