import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import { REFUSAL_EXAMPLES, REPAIR_EXAMPLES } from "./cert-cases.test-data.ts";
import { isCertNumber, parseCertUrl } from "./cert-text.ts";
import {
  type CertRepair,
  companyIn,
  isNumberOf,
  parseCertNumber,
  readSheetCert,
  REPAIR_LABELS,
} from "./cert-number.ts";
import { COMPANIES, type Company } from "./company.ts";
import { REFUSAL_CASES } from "./refusals.ts";
import { REPAIR_CASES } from "./repairs.ts";

const canonical = fc.oneof(
  fc.tuple(fc.constant("PSA" as const), fc.stringMatching(/^\d{8,9}$/)),
  fc.tuple(fc.constant("CGC" as const), fc.stringMatching(/^(\d{10}|\d{13})$/)),
  fc.tuple(fc.constant("TAG" as const), fc.stringMatching(/^[A-Z]\d{7}$/)),
);

describe("the table of cases", () => {
  const repairs = REPAIR_CASES.flatMap(({ name, message }) =>
    REPAIR_EXAMPLES[name].map(([company, typed, repaired]) => ({
      name,
      message,
      company,
      typed,
      repaired,
      shown: JSON.stringify(typed),
    })),
  );
  it.each(repairs)("$company $shown reads as $repaired: $message", ({ name, message, company, typed, repaired }) => {
    const reading = parseCertNumber(company, typed);
    expect(reading).toMatchObject({ ok: true, certNumber: repaired });
    expect(reading.ok && reading.repairs).toContain(name);
    expect(REPAIR_LABELS[name]).toBe(message);
  });

  const refusals = REFUSAL_CASES.flatMap(({ reason, title }) =>
    (REFUSAL_EXAMPLES[title] ?? []).map(([company, typed, message]) => ({
      reason,
      title,
      company,
      typed,
      message,
      shown: JSON.stringify(typed),
    })),
  );
  it.each(refusals)("$company $shown is refused: $title", ({ reason, company, typed, message }) => {
    const reading = parseCertNumber(company, typed);
    expect(reading).toMatchObject({ ok: false, reason, message: expect.stringContaining(message) });
  });

  it("has unique names and headings, and an example of each", () => {
    const names = [...REPAIR_CASES.map(({ name }) => name), ...REFUSAL_CASES.map(({ title }) => title)];
    expect(new Set(names).size).toBe(names.length);
    expect([...Object.keys(REPAIR_EXAMPLES), ...Object.keys(REFUSAL_EXAMPLES)]).toEqual(names);
    for (const examples of Object.values({ ...REPAIR_EXAMPLES, ...REFUSAL_EXAMPLES })) expect(examples).not.toEqual([]);
  });

  it("leaves a complete number unchanged", () => {
    fc.assert(
      fc.property(canonical, ([company, certNumber]) => {
        for (const { how } of REPAIR_CASES) expect(how(certNumber, company)).toBe(certNumber);
        for (const { message } of REFUSAL_CASES) expect(message(certNumber, company)).toBeFalsy();
      }),
    );
  });
});

describe("parseCertNumber", () => {
  const good: [Company, string, string, CertRepair[]][] = [
    ["PSA", "98174651", "98174651", []],
    ["PSA", "01020688", "01020688", []],
    ["PSA", "158363091", "158363091", []],
    ["PSA", "  98174651\u00a0", "98174651", []],
    ["TAG", "E1563870", "E1563870", []],
    ["TAG", "T2163854", "T2163854", []],
    ["PSA", "'1020688", "01020688", ["apostrophe_removed", "leading_zero_restored"]],
    [
      "CGC",
      "CGC: 1401019289 – 294.",
      "1401019289294",
      ["punctuation_removed", "company_prefix_removed", "space_removed", "dash_removed"],
    ],
    ["PSA", '="https://www.psacard.com/cert/98174651/psa"', "98174651", ["formula_removed", "read_from_link"]],
    ["PSA", "https://www.psacard.com/cert/1020688", "01020688", ["read_from_link", "leading_zero_restored"]],
    ["CGC", "cgccards.com/certlookup/4135876-101/9_5/", "4135876101", ["read_from_link", "dash_removed"]],
    ["TAG", "https://my.taggrading.com/card/c1240631", "C1240631", ["read_from_link", "letter_capitalized"]],
  ];
  it.each(good)("%s %s reads as %s", (company, cell, certNumber, repairs) => {
    expect(parseCertNumber(company, cell)).toEqual({ ok: true, certNumber, repairs });
  });

  const bad: [Company, string, string][] = [
    ["PSA", "12345", 'PSA cert numbers have 8 or 9 digits, not "12345". Compare it with the label'],
    ["CGC", "ABC-12345", 'CGC cert numbers have 10 or 13 digits, not "ABC-12345". Compare it with the label'],
    ["TAG", "123", 'TAG cert numbers have one letter and 7 digits, not "123". Compare it with the label'],
    ["PSA", "N/A", 'not "N/A". Compare it with the label'],
    ["PSA", "98174651.5", 'not "98174651.5". Compare it with the label'],
    ["PSA", "https://www.psacard.com/", "Compare it with the label"],
    ["PSA", "C1240631", "This looks like a TAG number. Correct the company, or compare the number with the label"],
    ["PSA", "1401019289-294", "This looks like a CGC number. Correct the company"],
    ["TAG", "12345678", "This looks like a PSA number. Correct the company"],
    ["PSA", "CGC-4135876101", "This looks like a CGC number. Correct the company"],
    [
      "TAG",
      "https://www.psacard.com/cert/98174651",
      "This is a link to a PSA certificate, but the company column says TAG. Correct the company, or compare the number with the label",
    ],
  ];
  it.each(bad)("%s %s is not a number: %s", (company, cell, message) => {
    expect(parseCertNumber(company, cell)).toMatchObject({
      ok: false,
      reason: "wrong_form",
      message: expect.stringContaining(message),
    });
  });

  it("reads any complete number as itself and as no other company's", () => {
    fc.assert(
      fc.property(canonical, ([company, certNumber]) => {
        expect(parseCertNumber(company, certNumber)).toEqual({ ok: true, certNumber, repairs: [] });
        expect(COMPANIES.filter((each) => isNumberOf(each, certNumber))).toEqual([company]);
        expect(readSheetCert(certNumber, "").suggestion).toBe(company);
      }),
    );
  });

  it("turns any text into a complete number or a message", () => {
    const odd = fc.string({ unit: fc.constantFrom(...Array.from("0123456789'\"=#-–.,: /()EeOIlC\u00a0\u200b７٣")) });
    fc.assert(
      fc.property(fc.constantFrom(...COMPANIES), fc.oneof(fc.string(), odd), (company, text) => {
        const reading = parseCertNumber(company, text);
        if (reading.ok) expect(isCertNumber(company, reading.certNumber)).toBe(true);
        else expect(reading.message).toMatch(/^[A-Z].{20,}[^.]$/s);
      }),
      { numRuns: amount({ short: 50, long: 500 }) },
    );
  });

  it("never joins a number with adjacent text into another number", () => {
    const beside = fc.tuple(fc.constantFrom(" ", "-", " - ", " / ", ", ", "  "), fc.stringMatching(/^\d{1,2}$/));
    fc.assert(
      fc.property(canonical, beside, ([company, certNumber], [between, more]) => {
        expect(parseCertNumber(company, certNumber + between + more).ok).toBe(false);
        expect(parseCertNumber(company, more + between + certNumber).ok).toBe(false);
      }),
    );
  });

  it("handles the largest cell in time", () => {
    for (const piece of ["'", " ", "1,234", "1 ", "=", '="', "#", "(", "98174651 ", "\u200b", "E+", "-"]) {
      const cell = piece.repeat(32_767 / piece.length);
      for (const text of [cell, `9${cell}`, `${cell}9`, cell.slice(0, 1_999), `9${cell.slice(0, 1_900)}x`])
        expect(parseCertNumber("PSA", text)).toMatchObject({ ok: false });
    }
  });
});

describe("parseCertUrl", () => {
  it.each([
    ["https://www.psacard.com/cert/98174651/psa", { company: "PSA", number: "98174651" }],
    ["//psacard.com/cert/1020688", { company: "PSA", number: "1020688" }],
    ["https://www.cgccards.com/certlookup/1401019289-294/9_0/", { company: "CGC", number: "1401019289-294" }],
    ["https://my.taggrading.com/card/c1240631", { company: "TAG", number: "c1240631" }],
    ["https://evil.example/psacard.com/cert/98174651", null],
    ["https://psacard.com.evil.example/cert/98174651", null],
    ["https://notpsacard.com/cert/98174651", null],
    ["https://www.psacard.com/cert/981746511234", null],
    ["https://www.psacard.com/cert/98174651 and more", null],
    ["98174651", null],
  ])("%s", (text, expected) => {
    expect(parseCertUrl(text)).toEqual(expected);
  });
});

describe("suggestCompany", () => {
  it.each([
    ["98174651", "", "PSA"],
    ["1401019289-294", "", "CGC"],
    ["c1240631", " ", "TAG"],
    ["98174651", "CGC", "PSA"],
    ["https://my.taggrading.com/card/C1240631", "PSA", "TAG"],
    ["98174651", "PSA 10", "PSA"],
    ["1020688", "psa/dna", "PSA"],
    ["98174651", "psa", null],
    ["1020688", "PSA", null],
    ["1020688", "", null],
    ["https://www.psacard.com/cert/1020688", "", "PSA"],
    ["'https://www.psacard.com/cert/1020688", "CGC", "PSA"],
    ["98174651", "BGS", null],
    ["1.45531E+08", "", null],
    ["", "", null],
  ])("%s with company cell %j suggests %j", (certCell, companyCell, company) => {
    expect(readSheetCert(certCell, companyCell).suggestion).toBe(company);
  });

  it.each([
    ["PSA", "PSA"],
    [" psa 10", "PSA"],
    ["Cgc-9.5", "CGC"],
    ["PSAX", null],
    ["BGS 9", null],
    ["10", null],
  ])("the company in %j is %j", (cell, company) => {
    expect(companyIn(cell)).toBe(company);
  });
});
