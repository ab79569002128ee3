import fc from "fast-check";
import { expect, it } from "vitest";
import { amount as amountOfForm } from "../../../scripts/test-form.ts";
import { newSheetRowSchema } from "../api/sessions.ts";
import { REFUSAL_EXAMPLES, REPAIR_EXAMPLES } from "../certs/cert-cases.test-data.ts";
import type { CertRepair } from "../certs/cert-number.ts";
import { formatCsv } from "./csv.ts";
import { judgeRow, type RowVerdict, type SheetRow } from "./row.ts";
import { sessionFileName } from "./session-name.ts";
import { parseSheet } from "./sheet.ts";

/* For any cell: the number that is looked up is either in the cell, or a warning reports the change. */

const DAMAGES: readonly ((text: string) => string)[] = [
  (text) => `'${text}`,
  (text) => ` ${text}\u00a0`,
  (text) => `${text}.`,
  (text) => `${text}.0`,
  (text) => `="${text}"`,
  (text) => `#${text}`,
  (text) => `(${text})`,
  (text) => `PSA-${text}`,
  (text) => `${text}\0`,
  (text) => `\u200b${text}`,
  (text) => text.toLowerCase(),
  (text) => text.replace(/^0+/, ""),
  (text) => text.replace(/(?=...$)/, "-"),
  (text) => text.replace(/(?=....$)/, " "),
  (text) => `https://www.psacard.com/cert/${text}`,
  (text) => `cgccards.com/certlookup/${text}/9_5/`,
  (text) => `my.taggrading.com/card/${text}`,
];

/** Repairs that add or replace characters. All others only remove some. */
const REWRITING: ReadonlySet<CertRepair> = new Set([
  "digits_normalized",
  "exponent_written_out",
  "letter_capitalized",
  "leading_zero_restored",
] as const);

const whole = fc.stringMatching(/^(?:0\d{7}|\d{8,9}|\d{10}|\d{13}|[A-Z]\d{7})$/);
const damaged = fc
  .tuple(whole, fc.array(fc.constantFrom(...DAMAGES), { maxLength: 3 }))
  .map(([number, damages]) => damages.reduce((text, damage) => damage(text), number));
const known = Object.values({ ...REPAIR_EXAMPLES, ...REFUSAL_EXAMPLES })
  .flat()
  .map(([, typed]) => typed);
const certCell = fc.oneof({ weight: 4, arbitrary: damaged }, fc.constantFrom(...known));

const COMPANY_CELLS = ["PSA", "CGC", "TAG", "psa", " Tag ", "PSA 10", "cgc 9.5", "TAG-10", "BGS 9", "10", "", "P\0SA"];
const FULL_NAMES = ["Professional Sports Authenticator (PSA) - (ID: 275010)", "Certified Guaranty Company", "PSA\0"];
const companyCell = fc.constantFrom(...COMPANY_CELLS, ...FULL_NAMES);

const amount = fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,-$€ eE\0")), maxLength: 9 });
const priceCell = fc.oneof(
  amount,
  fc.double({ min: -1e6, max: 1e6 }).map(String),
  fc.constantFrom("12,50 €", "$1,200"),
);

const heading = fc.constantFrom("GradingCompany", "Grader", "Grade Issuer", "Condition");

function readRow(companyHeading: string, cells: string[]): SheetRow | undefined {
  const mapping = { headerLine: 0, columns: { certNumber: 0, gradingCompany: 1, price: 2 }, company: null };
  const reading = parseSheet(formatCsv([["CertNumber", companyHeading, "Price"], cells]), mapping);
  return reading.ok ? reading.sheet.rows[0] : undefined;
}

const says = ({ warnings }: RowVerdict, what: "Number" | "Company" | "Price"): boolean =>
  warnings.some((message) => message.startsWith(what));

/** Parses a price in US notation. */
const plainAmount = (cell: string): number => Number(cell.replaceAll(/[\s$,]/g, ""));

it("a number, company, or price read differently from its cell always has a message", () => {
  fc.assert(
    fc.property(heading, certCell, companyCell, priceCell, fc.boolean(), (name, cert, company, price, accepted) => {
      const row = readRow(name, [cert, company, price]);
      if (row === undefined) return;
      const verdict = judgeRow(row, { acceptCompanies: accepted });
      if (verdict.price !== null && verdict.price !== plainAmount(price)) expect(says(verdict, "Price")).toBe(true);
      if (verdict.price === null && price.trim() !== "") expect(says(verdict, "Price")).toBe(true);
      if (verdict.kind === "invalid") return;
      expect(says(verdict, "Number")).toBe(verdict.certNumber !== cert.trim());
      const isWritten = cert.replaceAll(/[^A-Za-z0-9]/g, "").includes(verdict.certNumber);
      if (!isWritten) expect(verdict.repairs.some((repair) => REWRITING.has(repair))).toBe(true);
      expect(says(verdict, "Company")).toBe(verdict.company !== company.trim().toUpperCase());
    }),
    { numRuns: amountOfForm({ short: 200, long: 2_000 }) },
  );
});

it("a posted row is judged as it was in the browser", () => {
  const visible = (verdict: RowVerdict): unknown => JSON.parse(JSON.stringify(verdict).replaceAll("\\u0000", "\u200b"));
  fc.assert(
    fc.property(heading, certCell, companyCell, priceCell, fc.boolean(), (name, cert, company, price, accepted) => {
      const row = readRow(name, [cert, company, price]);
      if (row === undefined) return;
      const posted = newSheetRowSchema.parse(row);
      const judged = judgeRow({ ...posted, price: String(posted.price ?? "") }, { acceptCompanies: accepted });
      expect(judged).toEqual(visible(judgeRow(row, { acceptCompanies: accepted })));
    }),
    { numRuns: amountOfForm({ short: 100, long: 1_000 }) },
  );
});

it("messages about a row contain only whole characters", () => {
  const cell = fc.string({ unit: "grapheme", minLength: 30, maxLength: 90 });
  fc.assert(
    fc.property(cell, cell, (certNumber, price) => {
      expect(JSON.stringify(judgeRow({ certNumber, gradingCompany: "PSA", price })).isWellFormed()).toBe(true);
      expect(() => encodeURIComponent(sessionFileName(certNumber, new Date()))).not.toThrow();
      expect(JSON.stringify(judgeRow({ certNumber, gradingCompany: "PSA", price }))).not.toMatch(/\\ud[89ab]/i);
    }),
  );
});
