import type { z } from "zod";
import type { sheetCardSchema } from "../api/sessions.ts";
import { cutText } from "../certs/text.ts";
import { COMPANIES, parseCompany, type Company } from "../certs/company.ts";
import { type CertRepair, parseCertNumber, readSheetCert, REPAIR_LABELS } from "../certs/cert-number.ts";
import { graderIn } from "./content.ts";
import { isCertHeading } from "./header.ts";
import { parsePrice, priceMessage } from "./price.ts";

/**
 * What the sheet says about a card, as typed. `company` is the cell that the row's company was parsed from ("PSA 10"),
 * or that holds none or another. It is absent if the cell holds only the company.
 */
export type SheetCard = z.output<typeof sheetCardSchema>;

/** One line of a sheet as typed. `line` counts from 1 and includes the header, as in a spreadsheet. */
export type SheetRow = {
  line: number;
  cells: string[];
  certNumber: string;
  gradingCompany: string;
  price: string;
  notes: string;
  sheetCard?: SheetCard | undefined;
};

/** `warnings` report repairs and unreadable values. `suggestion` is the company that the number indicates instead. */
export type RowVerdict = { price: number | null; warnings: string[]; suggestion: Company | null } & (
  | { kind: "ready"; company: Company; certNumber: string; repairs: CertRepair[] }
  | { kind: "invalid"; outcome: "invalid_row" | "invalid_number"; message: string }
);

/** `acceptCompanies` applies the suggested companies. */
export type JudgeOptions = { acceptCompanies: boolean };

export const MISSING_FIELDS_MESSAGE = "Missing CertNumber or GradingCompany";

export const REPEATED_HEADER_MESSAGE =
  "This line repeats the header and has no certificate. You can ignore it; no card is missing";

export function unsupportedCompanyMessage(company: string): string {
  return `Unsupported grading company: ${company}. Supported companies are: ${COMPANIES.join(", ")}`;
}

/** Judges one row before any call. The plan, the run and the browser all use this function, so they agree. */
export function judgeRow(
  row: Pick<SheetRow, "certNumber" | "gradingCompany" | "price" | "sheetCard">,
  { acceptCompanies }: JudgeOptions = { acceptCompanies: false },
): RowVerdict {
  const typedPrice = parsePrice(row.price);
  const price = typedPrice.kind === "amount" ? typedPrice.amount : null;
  const warnings = [priceMessage(row.price)].filter((message) => message !== null);
  const { reading, suggestion } = readSheetCert(row.certNumber, row.gradingCompany);
  const about = { price, warnings, suggestion };
  const invalid = { kind: "invalid", outcome: "invalid_row", ...about } as const;
  const companyText = row.gradingCompany.trim();
  const companyCell = row.sheetCard?.company?.trim() ?? companyText;
  const isAccepted = acceptCompanies && suggestion !== null;
  const fromNumber = companyFromNumber(row);
  if (isAccepted) warnings.push(suggestionMessage(suggestion, companyCell));
  else if (isReadOutOf(companyText, companyCell))
    warnings.push(`Company ${parseCompany(companyText) ?? companyText} read from "${cutText(companyCell, 60)}"`);
  else if (fromNumber !== null) warnings.push(suggestionMessage(fromNumber, companyCell));
  if (row.certNumber.trim() === "" || (companyText === "" && !isAccepted)) {
    // Adding only the company wouldn't fix a row whose number lost digits.
    const damaged = parseCertNumber("PSA", row.certNumber);
    if (!damaged.ok && damaged.reason === "digits_lost") warnings.push(damaged.message);
    return { ...invalid, message: MISSING_FIELDS_MESSAGE };
  }
  if (isCertHeading(row.certNumber)) return { ...invalid, message: REPEATED_HEADER_MESSAGE, warnings: [] };

  const company = isAccepted ? suggestion : parseCompany(companyText);
  if (!company) return { ...invalid, message: unsupportedCompanyMessage(companyText) };

  const number = isAccepted || reading === null ? parseCertNumber(company, row.certNumber) : reading;
  if (!number.ok) return { ...invalid, outcome: "invalid_number", message: number.message };

  const repaired = number.repairs.map((repair) => REPAIR_LABELS[repair]).join(", ");
  const typed = cutText(row.certNumber.trim(), 80);
  if (repaired !== "") warnings.push(`Number repaired: ${repaired} (typed: ${typed})`);
  return { kind: "ready", company, certNumber: number.certNumber, repairs: number.repairs, ...about };
}

/** The company that was taken from the number, because the sheet's own cell names none or another; else null. */
export function companyFromNumber(row: Pick<SheetRow, "certNumber" | "gradingCompany" | "sheetCard">): Company | null {
  const company = parseCompany(row.gradingCompany);
  const cell = row.sheetCard?.company?.trim();
  if (company === null || cell === undefined || isReadOutOf(row.gradingCompany.trim(), cell)) return null;
  return readSheetCert(row.certNumber, cell).suggestion === company ? company : null;
}

/** "Company PSA taken from the number; the sheet says CGC". */
export function suggestionMessage(company: Company, companyCell: string): string {
  const typed = cutText(companyCell.trim(), 60);
  return `Company ${company} taken from the number; the sheet ${typed === "" ? "names none" : `says ${typed}`}`;
}

/** False if the cell holds only the company, or if the user has chosen another company. */
function isReadOutOf(company: string, companyCell: string): boolean {
  const [read, cell, named] = [company, companyCell, graderIn(companyCell)].map((text) => text?.toUpperCase());
  return read === named && read !== cell;
}
