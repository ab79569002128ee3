import { expect, test } from "vitest";
import { aQuota, later } from "../plan/plan-factory.test-data.ts";
import { quotaSummary } from "./QuotaBlock.tsx";

test("the day's numbers, in the reader's time zone", () => {
  expect(quotaSummary(aQuota())).toEqual({
    level: "ok",
    isLimited: false,
    left: "1,840 / 2,500",
    assumption: null,
    share: 0.736,
    usedToday: "660",
    lastReset: "Nov 21, 2026, 9:05 AM",
    lastChecked: "2:00:00 PM",
    remark: null,
  });
});

test.each([
  [{ remainingQuota: 500 }, "ok"],
  [{ remainingQuota: 499 }, "low"],
  [{ remainingQuota: 1 }, "low"],
  [{ remainingQuota: 0 }, "zero"],
  [{ remainingQuota: 1, limitedUntil: later(3) }, "low"],
  [{ remainingQuota: 2500, noAccess: true }, "none"],
] as const)("%j is styled %s", (fields, level) => {
  expect(quotaSummary(aQuota(fields)).level).toBe(level);
});

test("the limit is reached if PSA refuses calls until later, whatever is left", () => {
  expect(quotaSummary(aQuota({ remainingQuota: 1, limitedUntil: later(3) })).isLimited).toBe(true);
});

const REFUSED = "PSA's limit of 100 API calls per day is used up.";
const BLOCKED = "PSA's API is paused until 2:15 PM.";

test.each([
  [{ error: REFUSED, limitedUntil: later(24, 5) }, `${REFUSED.slice(0, -1)}. Lookups resume tomorrow at 2:05 PM.`],
  [{ limitedUntil: later(2) }, "PSA's API calls are used up. Lookups resume at 4:00 PM."],
  [{ error: BLOCKED }, BLOCKED],
  [{ noAccess: true, error: BLOCKED }, "The server has no token for PSA's API."],
])("%j is explained as %j", (fields, remark) => {
  expect(quotaSummary(aQuota(fields)).remark).toBe(remark);
});

test("a limit that PSA has not named yet is marked", () => {
  expect(quotaSummary(aQuota({ isConfirmed: false })).assumption).toBe("Daily limit 2,500 (not confirmed by PSA yet)");
  expect(quotaSummary(aQuota({ isConfirmed: false, noAccess: true })).assumption).toBeNull();
});

test("no number is invented before the first call or without a token", () => {
  expect(quotaSummary(aQuota({ lastReset: null })).lastReset).toBe("no calls yet");
  expect(quotaSummary(aQuota({ noAccess: true }))).toMatchObject({ left: "no access", share: 0 });
  expect(quotaSummary(aQuota({ remainingQuota: 0, totalQuota: 0 })).share).toBe(0);
});
