import { expect, test } from "vitest";
import { type BurstKey, endBurst, patienceFor, takeKey } from "./use-scan-bursts.ts";

type Typed = [key: string, atMs: number, about?: Partial<BurstKey>];

/** What the page's shortcuts and the station receive of these keys. */
function type(keys: readonly Typed[]): { shortcuts: string[]; scans: string[] } {
  let held: readonly BurstKey[] = [];
  const shortcuts: string[] = [];
  const scans: string[] = [];
  for (const [key, timeStamp, about] of keys) {
    const pressed = { key, timeStamp, repeat: false, ctrlKey: false, metaKey: false, altKey: false, ...about };
    const taken = takeKey(held, pressed);
    held = taken.held;
    shortcuts.push(...taken.replay.map((replayed) => replayed.key), ...(taken.isTaken ? [] : [key]));
    if (taken.scan !== null) scans.push(taken.scan);
  }
  const end = endBurst(held);
  shortcuts.push(...end.replay.map(({ key }) => key));
  return { shortcuts, scans: end.scan === null ? scans : [...scans, end.scan] };
}

/** The keys of a scanner from this time on, 10 ms apart. */
const burst = (text: string, fromMs = 0): Typed[] =>
  Array.from(text, (key, index): Typed => [key === "\n" ? "Enter" : key, fromMs + index * 10]);

test.each<[string, readonly Typed[], string[], string[]]>([
  ["a scan with Enter", burst("S7361300\n"), [], ["S7361300"]],
  ["a scan without Enter", burst("98174651"), [], ["98174651"]],
  ["two scans", [...burst("98174651\n"), ...burst("C1240631\n", 500)], [], ["98174651", "C1240631"]],
  [
    "a slab's link",
    burst("https://my.taggrading.com/card/C1240631\n"),
    [],
    ["https://my.taggrading.com/card/C1240631"],
  ],
  ["capital letters with Shift", [["Shift", 0], ["S", 5], ...burst("7361300\n", 10)], ["Shift"], ["S7361300"]],
  [
    "shortcuts at a person's speed",
    [
      ["s", 0],
      ["r", 300],
      ["/", 900],
    ],
    ["s", "r", "/"],
    [],
  ],
  ["a shortcut just before a scan", [["c", 0], ...burst("98174651\n", 300)], ["c"], ["98174651"]],
  ["two keys at once", burst("xc"), ["x", "c"], []],
  ["a shortcut and Enter in quick succession", burst("x\n"), ["x", "Enter"], []],
  [
    "an arrow right after a shortcut",
    [
      ["x", 0],
      ["ArrowDown", 10],
    ],
    ["x", "ArrowDown"],
    [],
  ],
  ["Space, which starts no scan", [[" ", 0]], [" "], []],
  [
    "a key held down",
    [["x", 0], ...[1, 2, 3, 4, 5].map((index): Typed => ["x", index * 30, { repeat: true }])],
    ["x", "x", "x", "x", "x", "x"],
    [],
  ],
  ["Ctrl A", [["a", 0, { ctrlKey: true }]], ["a"], []],
])("%s", (_, keys, shortcuts, scans) => {
  expect(type(keys)).toEqual({ shortcuts, scans });
});

test.each([
  ["at once", 1, 1_000, 1_000, 100],
  ["in the usual time", 1, 1_000, 1_035, 100],
  ["late, on a busy machine", 1, 1_000, 1_100, 400],
  ["very late", 1, 1_000, 9_000, 1_000],
  ["before its own time, as clocks may differ", 1, 1_000, 900, 100],
  ["as the fourth of a scan", 4, 1_000, 1_000, 300],
])("waits for the next key after one that came %s", (_, count, timeStamp, now, expected) => {
  expect(
    patienceFor(
      Array.from({ length: count }, () => ({ timeStamp })),
      now,
    ),
  ).toBe(expected);
});

test.each([
  ["Enter that a scanner typed and a busy machine delivered after the scan ended", "Enter", 40, true],
  ["Enter that a person pressed later", "Enter", 200, false],
  ["another key", "ArrowDown", 40, false],
])("%s", (_, key, afterMs, isTaken) => {
  const pressed = { key, timeStamp: 1_000 + afterMs, repeat: false, ctrlKey: false, metaKey: false, altKey: false };
  expect(takeKey([], pressed, 1_000)).toEqual({ held: [], replay: [], scan: null, isTaken });
});
