import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import { isFormula, neutralizeLine, restoreLine } from "./safe-cells.ts";

const signs = (letters: string) => fc.string({ unit: fc.constantFrom(...Array.from(letters)), maxLength: 12 });
const cell = fc.oneof(fc.string(), signs("'\"=+-@;,|\t\r\n 19.a"), signs("'-,;5 "));
const line = fc.array(cell, { maxLength: 5 });

describe("an escaped cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+1 555", "'+1 555"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["  =1", "'  =1"],
    ['"=1', "'\"=1"],
    ["\uff1d1", "'\uff1d1"],
    ["\uff0b1", "'\uff0b1"],
    ["\uff0d1", "'\uff0d1"],
    ["\uff20SUM(A1)", "'\uff20SUM(A1)"],
    ["\t=1", "'\t'=1"],
    ["\r1", "'\r1"],
    ["\n1", "'\n1"],
    ["-1 to 3", "'-1 to 3"],
    ["'=1", "''=1"],
    ["''=1", "'''=1"],
    [";=1", ";'=1"],
    ["Nice;=1+1;", "Nice;'=1+1;"],
    ['a; "=1"', 'a;\' "=1"'],
    ["a;'=1", "a;''=1"],
    ["a,=1", "a,'=1"],
    ["a|@b", "a|'@b"],
    ["a\t+1", "a\t'+1"],
    ["two\n-lines\r\n=3", "two\n'-lines\r\n'=3"],
    ["a;-5", "a;'-5"],
    ["a;--", "a;'--"],
    ["a - b, 2020-21", "a - b, 2020-21"],
    ["a=b;c", "a=b;c"],
    ["-12.5", "-12.5"],
    ["-", "-"],
    ["--", "--"],
    ["'01020688", "'01020688"],
    ["'90s", "'90s"],
    ["'", "'"],
    ["PSA 10", "PSA 10"],
    ["", ""],
  ])("%j becomes %j and is restored", (text, expected) => {
    expect(neutralizeLine(["PSA", text])).toEqual(["PSA", expected]);
    expect(restoreLine(["PSA", expected])).toEqual(["PSA", text]);
  });
});

describe("a number or dashes", () => {
  it.each([
    ["that a line begins with", ["-5", "1+A1;"], ["'-5", "1+A1;"]],
    ["that only blanks are before", ["", ' "', "-", "-"], ["", ' "', "'-", "-"]],
    ["behind a cell that ends with a separator", ["a; ", "-5", "-5"], ["a; ", "'-5", "-5"]],
  ])("%s may become part of a longer cell", (_where, cells, expected) => {
    expect(neutralizeLine(cells)).toEqual(expected);
    expect(restoreLine(expected)).toEqual(cells);
  });
});

describe("an escaped line", () => {
  it("is restored", () => {
    fc.assert(
      fc.property(line, (cells) => {
        expect(restoreLine(neutralizeLine(cells))).toEqual(cells);
      }),
      { numRuns: amount({ short: 300, long: 3_000 }) },
    );
  });

  it("differs from every other escaped line", () => {
    const near = signs("'=;-");
    fc.assert(
      fc.property(fc.tuple(near, near), fc.tuple(near, near), (one, other) => {
        const isSame = one.join("\0") === other.join("\0");
        expect(neutralizeLine(one).join("\0") === neutralizeLine(other).join("\0")).toBe(isSame);
      }),
      { numRuns: amount({ short: 300, long: 3_000 }) },
    );
  });
});

it.each([
  ["=1", true],
  [" @a", true],
  ["'=1", true],
  ["\t1", true],
  ["-5", false],
  ["---", false],
  ["a;=1", false],
  ["", false],
])("whether %j typed into a cell is a formula: %j", (text, expected) => {
  expect(isFormula(text)).toBe(expected);
});
