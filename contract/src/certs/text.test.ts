import { describe, expect, it } from "vitest";
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
  it("never cuts an emoji in half", () => {
    expect(cutText("ab😀cd", 3)).toBe("ab😀");
    expect(cutText("ab", 3)).toBe("ab");
  });
});
