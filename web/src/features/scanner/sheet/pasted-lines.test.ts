import { expect, test } from "vitest";
import { pastedLines } from "./pasted-lines.ts";

const HEADER = ["CertNumber", "GradingCompany"];

test.each([
  [
    "one a line",
    "98174651\r\n1401019289294\n",
    [
      ["98174651", ""],
      ["1401019289294", ""],
    ],
  ],
  [
    "spaces and commas",
    "98174651 98174652,C1240631; 98174653",
    [
      ["98174651", ""],
      ["98174652", ""],
      ["C1240631", ""],
      ["98174653", ""],
    ],
  ],
  [
    "links",
    "https://www.psacard.com/cert/98174651/psa\nhttps://my.taggrading.com/card/C1240631",
    [
      ["https://www.psacard.com/cert/98174651/psa", ""],
      ["https://my.taggrading.com/card/C1240631", ""],
    ],
  ],
  [
    "a company before its number",
    "PSA 98174651\nPSA 98174652 CGC 1401019289294",
    [
      ["PSA 98174651", ""],
      ["98174652", "PSA"],
      ["1401019289294", "CGC"],
    ],
  ],
  [
    "a company behind its number",
    "98174651 PSA 1401019289294 cgc",
    [
      ["98174651", "PSA"],
      ["1401019289294", "cgc"],
    ],
  ],
  [
    "a CGC number with its dash",
    "1401019289-294 6034330-274",
    [
      ["1401019289-294", ""],
      ["6034330-274", ""],
    ],
  ],
  [
    "what is no number stays, to be shown",
    "98174651 hello\nPSA",
    [
      ["98174651", ""],
      ["hello", ""],
      ["", "PSA"],
    ],
  ],
])("numbers: %s", (_, text, rows) => {
  expect(pastedLines(text)).toEqual([HEADER, ...rows]);
});

test.each([
  [
    "cells of a spreadsheet",
    "98174651\tPSA\t120\n1401019289294\tCGC\t",
    [
      ["98174651", "PSA", "120"],
      ["1401019289294", "CGC", ""],
    ],
  ],
  [
    "cells with their header",
    "Cert #\tPrice\n98174651\t120",
    [
      ["Cert #", "Price"],
      ["98174651", "120"],
    ],
  ],
  [
    "lines of CSV with a header",
    "CertNumber,Price\n98174651,120",
    [
      ["CertNumber", "Price"],
      ["98174651", "120"],
    ],
  ],
  [
    "lines of CSV with one column of numbers",
    "98174651,PSA\n1401019289294,CGC",
    [
      ["98174651", "PSA"],
      ["1401019289294", "CGC"],
    ],
  ],
])("a sheet: %s", (_, text, lines) => {
  expect(pastedLines(text)).toEqual(lines);
});
