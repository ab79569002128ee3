import { describe, expect, test } from "vitest";
import { type CompanyChoice, readScan } from "./read-scan.ts";

const READ: [text: string, choice: CompanyChoice, company: string, certNumber: string, repaired: string][] = [
  ["98174651", "auto", "PSA", "98174651", ""],
  ["112357836", "auto", "PSA", "112357836", ""],
  ["1401019289294", "auto", "CGC", "1401019289294", ""],
  ["4135876101", "auto", "CGC", "4135876101", ""],
  ["4135876-101", "auto", "CGC", "4135876101", "dash removed"],
  ["C1240631", "auto", "TAG", "C1240631", ""],
  ["c1240631", "auto", "TAG", "C1240631", "letter capitalized"],
  ["https://www.psacard.com/cert/98174651", "auto", "PSA", "98174651", ""],
  ["https://www.psacard.com/cert/98174651/", "auto", "PSA", "98174651", ""],
  ["https://www.cgccards.com/certlookup/4135876101/9.5/", "auto", "CGC", "4135876101", ""],
  ["https://my.taggrading.com/card/C1240631", "auto", "TAG", "C1240631", ""],
  ["https://www.psacard.com/cert/1020688", "auto", "PSA", "01020688", "leading zero restored"],
  ["https://www.cgccards.com/certlookup/4135876-101/", "auto", "CGC", "4135876101", "dash removed"],
  ["https://my.taggrading.com/card/c1240631", "PSA", "TAG", "C1240631", "letter capitalized"],
  // The choice decides only ambiguous numbers.
  ["1020688", "PSA", "PSA", "01020688", "leading zero restored"],
  ["4135876101", "PSA", "CGC", "4135876101", ""],
  ["https://my.taggrading.com/card/C1240631", "PSA", "TAG", "C1240631", ""],
];

test.each(READ)("%s, scanned with %s, is %s %s", (text, choice, company, certNumber, repaired) => {
  expect(readScan(text, choice)).toEqual({ kind: "ready", company, certNumber, repaired });
});

describe("an unreadable scan has a message with advice", () => {
  test.each<[text: string, choice: CompanyChoice, message: RegExp]>([
    ["1020688", "auto", /choose PSA and scan it again/],
    ["1.45531E+08", "auto", /digits are lost/],
    ["9817465198174651", "auto", /isn't a cert number\. PSA has 8 or 9 digits/],
    ["12", "TAG", /one letter and 7 digits, not "12"/],
    ["https://example.com/cert/98174651", "auto", /link isn't a PSA, CGC or TAG cert link/],
    ["HELLO", "auto", /“HELLO” isn't a cert number/],
  ])("%s with %s", (text, choice, message) => {
    const reading = readScan(text, choice);
    expect(reading.kind === "unreadable" && reading.message).toMatch(message);
  });
});
