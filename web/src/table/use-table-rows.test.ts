import { expect, test } from "vitest";
import { aFoundRow, aRow } from "../run/row-factory.test-data.ts";
import { foundIn } from "./use-table-rows.ts";

const failed = aRow({ id: "a", line: 2, status: "error", outcome: "not_found" });
const open = aRow({ id: "a", line: 2 });
const found = aFoundRow({ id: "a", line: 2 });
const other = aFoundRow({ id: "b", line: 3 });
const NONE: ReadonlySet<string> = new Set();

test.each([
  ["a failed row is found at once", [failed, other], [found, other], NONE, ["a"], []],
  ["a failed row is looked up again", [failed, other], [open, other], NONE, [], ["a"]],
  ["it is found", [open, other], [found, other], new Set(["a"]), ["a"], []],
  ["it fails again", [open, other], [failed, other], new Set(["a"]), [], []],
  ["a row is found for the first time", [open, other], [found, other], NONE, [], []],
  ["rows arrive above", [other], [found, other], NONE, [], []],
  ["a row above is removed", [aRow({ id: "c" }), failed], [found], NONE, ["a"], []],
  ["nothing has changed", [failed, other], [failed, other], new Set(["b"]), [], ["b"]],
])("%s", (_name, before, now, retriedBefore, foundIds, retriedIds) => {
  const news = foundIn(before, now, retriedBefore);
  expect(news.found.map(({ id }) => id)).toEqual(foundIds);
  expect([...news.retried]).toEqual(retriedIds);
});
