import { expect, test } from "vitest";
import { aRow } from "../run/row-factory.test-data.ts";
import type { RowsSnapshot } from "../run/rows-store.ts";
import { shiftOf } from "./grid/use-scroll-anchor.ts";
import { nextOf } from "./use-row-jump.ts";

const known = new Map("abcdefghij".split("").map((id, index) => [id, aRow({ id, line: index + 2 })]));
/** Rows by letter; a capital is the changed row of that letter. */
const rowsOf = (letters: string): RowsSnapshot =>
  letters.split("").flatMap((letter) => {
    const row = known.get(letter.toLowerCase());
    return row ? [letter === letter.toLowerCase() ? row : { ...row }] : [];
  });

test.each([
  ["nothing has changed", "abcdefgh", "abcdefgh", 2, 0],
  ["rows arrive above", "cdefgh", "abcdefgh", 2, 2],
  ["rows leave above", "abcdefgh", "cdefgh", 4, -2],
  ["rows arrive below", "abcdef", "abcdefgh", 2, 0],
  ["the first in view has left: the next one counts", "abcdefgh", "abdefgh", 2, -1],
  ["the first in view has changed and moved to the end: the next one counts", "abcdefgh", "abdefghC", 2, -1],
  ["the first in view has changed in its place", "abcdefgh", "abCdefgh", 2, 0],
  ["at the top what comes first is reviewed", "cdefgh", "abcdefgh", 0, 0],
  ["nothing in view is left", "abcdefgh", "abfgh", 2, 0],
])("the scroll position stays: %s", (_name, before, now, first, expected) => {
  expect(shiftOf(rowsOf(before), rowsOf(now), { first, count: 3 })).toBe(expected);
});

test.each([
  ["it is still there", "abcd", "abcd", "b", null],
  ["it was not shown", "abcd", "abc", "j", null],
  ["the next takes its place", "abcd", "acd", "b", "c"],
  ["it has changed its place only", "abcd", "acdB", "b", null],
  ["the next left with it", "abcd", "ad", "b", "d"],
  ["it was the last", "abcd", "abc", "d", "c"],
  ["rows came before it", "bcd", "abd", "c", "d"],
  ["none is left", "a", "", "a", null],
])("after the active row: %s", (_name, before, now, activeId, expected) => {
  expect(nextOf(rowsOf(before), rowsOf(now), activeId)).toBe(expected);
});
