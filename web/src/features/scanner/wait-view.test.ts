import type { ScanWait } from "@slabdesk/contract/api/sessions.ts";
import { expect, test } from "vitest";
import { canGoByPage, newWaitsWords, waitClockWords, waitWords } from "./wait-view.ts";

const NOW = new Date(2026, 10, 21, 10, 53);
const at = (hours: number, minutes: number): string => new Date(2026, 10, 21, hours, minutes).toISOString();
const aWait = (fields: Partial<ScanWait> = {}): ScanWait => ({
  company: "PSA",
  outcome: "quota_exhausted",
  until: at(14, 5),
  count: 46,
  words: "PSA's limit of 100 API calls a day is used up",
  ...fields,
});

test("a wait says why, how many, until when and how long", () => {
  expect(waitWords(aWait(), NOW.getTime())).toBe(
    "PSA's limit of 100 API calls a day is used up: 46 cards wait until 14:05",
  );
  expect(waitWords(aWait({ count: 1, words: "PSA's page refuses to be read." }), NOW.getTime())).toBe(
    "PSA's page refuses to be read: 1 card waits until 14:05",
  );
  expect(waitWords(aWait({ words: "" }), NOW.getTime())).toBe("PSA: 46 cards wait until 14:05");
  expect(waitClockWords(aWait(), NOW.getTime())).toBe("in 3 h 12 min");
  expect(waitClockWords(aWait({ until: at(10, 53) }), NOW.getTime())).toBe("any moment now");
});

test.each([
  [{}, "on", true],
  [{}, "off", false],
  [{ company: "CGC" }, "on", false],
  [{ outcome: "blocked" }, "on", false],
] as const)("rows that wait for %j with scraping %s can go on by the page: %s", (fields, scraping, expected) => {
  expect(canGoByPage(aWait(fields), scraping)).toBe(expected);
});

test("waits are told when they begin, not when their time or number changes", () => {
  const quota = aWait();
  const blocked = aWait({ company: "CGC", outcome: "blocked", words: "CGC refuses", count: 2, until: at(10, 55) });
  expect(newWaitsWords([], [quota], NOW.getTime())).toBe(waitWords(quota, NOW.getTime()));
  expect(newWaitsWords([quota], [{ ...quota, count: 80, until: at(15, 0) }], NOW.getTime())).toBeNull();
  expect(newWaitsWords([quota], [quota, blocked], NOW.getTime())).toBe("CGC refuses: 2 cards wait until 10:55");
  expect(newWaitsWords([quota], [], NOW.getTime())).toBeNull();
});
