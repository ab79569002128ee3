import { expect, test } from "vitest";
import { legendOf, piecesOf, visibleText } from "./whitespace.ts";

test.each([
  ["01020688", "01020688"],
  ["Dallas show", "Dallas show"],
  [" 01020688  ", "·01020688··"],
  ["two  spaces", "two··spaces"],
  ["\u00a001020688\t", "⍽01020688→"],
  ["one\r\ntwo\nthree", "one↵two↵three"],
  ["\ufeff98\u200b17", "¦98¦17"],
  ["", ""],
  ["   ", "···"],
])("%j is displayed as %j", (cell, seen) => {
  expect(visibleText(cell)).toBe(seen);
});

test("each symbol has a name, and the legend lists each once", () => {
  expect(piecesOf(" a\t")).toEqual([
    { text: "·", name: "space" },
    { text: "a", name: null },
    { text: "→", name: "tab" },
  ]);
  expect(legendOf([" a", "b ", "\u00a0"])).toBe("· space, ⍽ no-break space");
  expect(legendOf(["PSA", "a b"])).toBeNull();
});
