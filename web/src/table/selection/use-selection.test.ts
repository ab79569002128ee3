import { expect, test } from "vitest";
import { aRow } from "../../run/row-factory.test-data.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { allSelected, allToggled, extended, NO_SELECTION, type Selection, shareOf, toggled } from "./use-selection.ts";

const shownOf = (ids: string): RowsSnapshot => ids.split("").map((id, index) => aRow({ id, line: index + 2 }));
const SHOWN = shownOf("abcdefgh");

type Change = (selection: Selection) => Selection;
const toggle =
  (id: string): Change =>
  (now) =>
    toggled(now, id);
const extend =
  (to: string, from: string | null = null, shown = SHOWN): Change =>
  (now) =>
    extended(now, shown, to, from);
const after = (...changes: readonly Change[]): Selection =>
  changes.reduce((selection, change) => change(selection), NO_SELECTION);

test.each<[string, Change[], string]>([
  ["a click selects", [toggle("b")], "b"],
  ["a second click takes it out", [toggle("b"), toggle("d"), toggle("b")], "d"],
  ["shift reaches from the row clicked last", [toggle("b"), extend("e")], "bcde"],
  ["upwards as well", [toggle("e"), extend("b")], "bcde"],
  ["another shift takes the place of the first", [toggle("c"), extend("g"), extend("d")], "cd"],
  ["over the anchor to its other side", [toggle("d"), extend("f"), extend("b")], "bcd"],
  ["what was selected besides stays", [toggle("a"), toggle("d"), extend("f"), extend("e")], "ade"],
  [
    "a row in the range that was selected before stays too",
    [toggle("e"), toggle("c"), extend("f"), extend("d")],
    "cde",
  ],
  ["from a row taken out, a range takes out", [toggle("b"), extend("g"), toggle("d"), extend("f")], "bcg"],
  ["without a click it reaches from the active row", [extend("d", "b")], "bcd"],
  ["and from itself where there is none", [extend("d")], "d"],
  ["a range goes through the rows as they are shown", [toggle("h"), extend("a", null, shownOf("hcab"))], "ach"],
  ["a row that is not shown is no end of a range", [toggle("b"), extend("z")], "b"],
  ["an anchor that is not shown: the row alone is added", [toggle("b"), extend("d", null, shownOf("cdef"))], "bd"],
  ["all that is shown", [toggle("a"), (now) => allToggled(now, shownOf("cd"))], "acd"],
  ["all shown are selected: out with them", [toggle("a"), toggle("c"), (now) => allToggled(now, shownOf("c"))], "a"],
  ["Ctrl+A never takes out", [toggle("c"), (now) => allSelected(now, shownOf("c"))], "c"],
])("%s", (_name, events, expected) => {
  expect([...after(...events).ids].toSorted().join("")).toBe(expected);
});

test.each([
  ["", "abc", "none"],
  ["d", "abc", "none"],
  ["b", "abc", "some"],
  ["abd", "abc", "some"],
  ["abcd", "abc", "all"],
  ["a", "", "none"],
] as const)("with %j selected of %j shown, the header's checkbox is %s", (selected, shown, expected) => {
  expect(shareOf(after(...selected.split("").map(toggle)).ids, shownOf(shown))).toBe(expected);
});
