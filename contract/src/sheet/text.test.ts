import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeRow } from "./row.ts";
import { sessionFileName } from "./session-name.ts";
import { cutText, storableText } from "./text.ts";

describe("storableText", () => {
  it.each([
    ["Pok\0émon", "Pokémon"],
    ["half \ud83d of a pair", "half \ufffd of a pair"],
    ["whole 😀", "whole 😀"],
    ["ポケモン", "ポケモン"],
  ])("%j becomes %j", (text, expected) => {
    expect(storableText(text)).toBe(expected);
  });
});

describe("cutText", () => {
  it("never splits an emoji", () => {
    expect(cutText("ab😀cd", 3)).toBe("ab😀");
    expect(cutText("ab", 3)).toBe("ab");
  });
});

describe("messages about a row", () => {
  it("consist of whole characters, whatever the cells contain", () => {
    const cell = fc.string({ unit: "grapheme", minLength: 30, maxLength: 90 });
    fc.assert(
      fc.property(cell, cell, (certNumber, price) => {
        expect(JSON.stringify(judgeRow({ certNumber, gradingCompany: "PSA", price })).isWellFormed()).toBe(true);
        expect(() => encodeURIComponent(sessionFileName(certNumber, new Date()))).not.toThrow();
        expect(JSON.stringify(judgeRow({ certNumber, gradingCompany: "PSA", price }))).not.toMatch(/\\ud[89ab]/i);
      }),
    );
  });
});
