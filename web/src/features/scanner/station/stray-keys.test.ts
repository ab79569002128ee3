import { expect, test } from "vitest";
import { type StrayKeys, takeStrayKey } from "./stray-keys.ts";

/** Types these keys outside the field; returns what goes into it with the first key of a scanner. */
function type(keys: readonly [key: string, atMs: number][]): string | null {
  let stray: StrayKeys | null = null;
  for (const [key, atMs] of keys) {
    const taken = takeStrayKey(stray, key, atMs);
    if (taken.isScan) return taken.stray.text;
    stray = taken.stray;
  }
  return null;
}

test("a digit is the scanner's at once", () => {
  expect(type([["9", 0]])).toBe("9");
});

test("a letter followed by a digit at a scanner's speed is the scanner's, too", () => {
  expect(
    type([
      ["C", 1_000],
      ["1", 1_012],
    ]),
  ).toBe("C1");
});

test("a link starts with letters", () => {
  expect(
    type([
      ["h", 0],
      ["t", 9],
    ]),
  ).toBe("ht");
});

test("typed letters are shortcuts of the page, also just before a scan", () => {
  expect(
    type([
      ["c", 0],
      ["r", 400],
      ["/", 900],
    ]),
  ).toBeNull();
  expect(
    type([
      ["c", 0],
      ["7", 300],
    ]),
  ).toBe("7");
});
