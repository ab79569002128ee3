import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Company } from "./company.ts";
import { guessCompany, parseCertNumber, type CertRepair } from "./cert-number.ts";
import { parseCertUrl } from "./cert-url.ts";

describe("parseCertNumber", () => {
  const good: [Company, string, string, CertRepair[]][] = [
    ["PSA", "98174651", "98174651", []],
    ["PSA", "01020688", "01020688", []],
    ["PSA", "158363091", "158363091", []],
    ["PSA", "1020688", "01020688", ["leading_zero_restored"]],
    ["PSA", "'01020688", "01020688", ["apostrophe_removed"]],
    ["PSA", " 0102 0688 ", "01020688", ["space_removed"]],
    ["PSA", "98174651.0", "98174651", ["decimal_zero_removed"]],
    ["PSA", "98174651,00", "98174651", ["decimal_zero_removed"]],
    ["PSA", "PSA-98174651", "98174651", ["company_prefix_removed"]],
    ["PSA", "psa #98174651", "98174651", ["company_prefix_removed"]],
    ["PSA", "#98174651", "98174651", ["hash_removed"]],
    ["PSA", "Cert #98174651", "98174651", ["hash_removed"]],
    ["PSA", "https://www.psacard.com/cert/98174651/", "98174651", ["read_from_link"]],
    ["CGC", "1401019289294", "1401019289294", []],
    ["CGC", "1401019289-294", "1401019289294", ["dash_removed"]],
    ["CGC", "4135876\u2013101", "4135876101", ["dash_removed"]],
    ["CGC", "https://www.cgccards.com/certlookup/4135876101/9_5/", "4135876101", ["read_from_link"]],
    ["TAG", "C1240631", "C1240631", []],
    ["TAG", "c1240631", "C1240631", ["letter_capitalized"]],
    ["TAG", "E1563870", "E1563870", []],
    ["TAG", "TAG C1240631", "C1240631", ["company_prefix_removed"]],
    ["TAG", "T2163854", "T2163854", []],
  ];
  it.each(good)("%s %s reads as %s", (company, cell, certNumber, repairs) => {
    expect(parseCertNumber(company, cell)).toEqual({ ok: true, certNumber, repairs });
  });

  const bad: [Company, string, string][] = [
    ["PSA", "1.45531E+08", "digits_lost"],
    ["PSA", "1,45531E+08", "digits_lost"],
    ["CGC", "1.40102E+12", "digits_lost"],
    ["CGC", "1e12", "digits_lost"],
    ["PSA", "12345", "wrong_form"],
    ["PSA", "1401019289294", "wrong_form"],
    ["PSA", "98174651.5", "wrong_form"],
    ["PSA", "abc", "wrong_form"],
    ["TAG", "12345678", "wrong_form"],
    ["TAG", "https://www.psacard.com/cert/98174651", "wrong_form"],
  ];
  it.each(bad)("%s %s is refused: %s", (company, cell, reason) => {
    expect(parseCertNumber(company, cell)).toMatchObject({ ok: false, reason });
  });

  it("names the company that a number in the wrong column belongs to", () => {
    expect(parseCertNumber("PSA", "C1240631")).toMatchObject({
      message: expect.stringContaining("looks like a TAG number"),
    });
  });

  it("reads any canonical number as itself, and never throws on any text", () => {
    const canonical = fc.oneof(
      fc.tuple(fc.constant("PSA" as const), fc.stringMatching(/^\d{8,9}$/)),
      fc.tuple(fc.constant("CGC" as const), fc.stringMatching(/^(\d{10}|\d{13})$/)),
      fc.tuple(fc.constant("TAG" as const), fc.stringMatching(/^[A-Z]\d{7}$/)),
    );
    fc.assert(
      fc.property(canonical, ([company, certNumber]) => {
        expect(parseCertNumber(company, certNumber)).toEqual({ ok: true, certNumber, repairs: [] });
        expect(guessCompany(certNumber)).toBe(company);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom<Company>("PSA", "CGC", "TAG"), fc.string(), (company, text) => {
        const reading = parseCertNumber(company, text);
        expect(reading.ok ? guessCompany(reading.certNumber) : reading.message).toBeTruthy();
      }),
    );
  });
});

describe("parseCertUrl", () => {
  it.each([
    ["https://www.psacard.com/cert/98174651/psa", { company: "PSA", certNumber: "98174651" }],
    ["psacard.com/cert/158363091?x=1", { company: "PSA", certNumber: "158363091" }],
    ["https://www.cgccards.com/certlookup/1401019289-294/9_0/", { company: "CGC", certNumber: "1401019289294" }],
    ["https://my.taggrading.com/card/c1240631", { company: "TAG", certNumber: "C1240631" }],
    ["https://evil.example/psacard.com/cert/98174651", null],
    ["https://www.psacard.com/cert/981746511234", null],
    ["98174651", null],
  ])("%s", (text, expected) => {
    expect(parseCertUrl(text)).toEqual(expected);
  });
});
