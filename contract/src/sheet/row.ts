import { cutText } from "./text.ts";
import { COMPANIES, parseCompany, type Company } from "../certs/company.ts";
import { parseCertNumber, REPAIR_WORDS, type CertRepair } from "../certs/cert-number.ts";
import { parsePrice } from "./price.ts";

/** One line of a sheet as typed. `line` counts from 1 in the file, header included, as a spreadsheet shows it. */
export type SheetRow = {
  line: number;
  cells: string[];
  certNumber: string;
  gradingCompany: string;
  price: string;
  notes: string;
};

/** What a line of a sheet can be used for. `warnings` are words for staff about what was repaired or could not be read. */
export type RowVerdict =
  | {
      kind: "ready";
      company: Company;
      certNumber: string;
      price: number | null;
      repairs: CertRepair[];
      warnings: string[];
    }
  | {
      kind: "invalid";
      outcome: "invalid_row" | "invalid_number";
      message: string;
      price: number | null;
      warnings: string[];
    };

export const MISSING_FIELDS_MESSAGE = "Missing CertNumber or GradingCompany";

export function unsupportedCompanyMessage(company: string): string {
  return `Unsupported grading company: ${company}. Supported companies are: ${COMPANIES.join(", ")}`;
}

/**
 * Judges one row before anything is called. The plan, the run and the browser use this one function, so they agree.
 */
export function judgeRow(row: Pick<SheetRow, "certNumber" | "gradingCompany" | "price">): RowVerdict {
  const { price, warnings } = readPrice(row.price);
  const invalid = (outcome: "invalid_row" | "invalid_number", message: string): RowVerdict => ({
    kind: "invalid",
    outcome,
    message,
    price,
    warnings,
  });

  const companyText = row.gradingCompany.trim();
  if (row.certNumber.trim() === "" || companyText === "") return invalid("invalid_row", MISSING_FIELDS_MESSAGE);

  const company = parseCompany(companyText);
  if (!company) return invalid("invalid_row", unsupportedCompanyMessage(companyText));

  const number = parseCertNumber(company, row.certNumber);
  if (!number.ok) return invalid("invalid_number", number.message);

  if (number.repairs.length > 0) {
    warnings.push(`Number repaired: ${number.repairs.map((repair) => REPAIR_WORDS[repair]).join(", ")}`);
  }
  return { kind: "ready", company, certNumber: number.certNumber, price, repairs: number.repairs, warnings };
}

function readPrice(cell: string): { price: number | null; warnings: string[] } {
  const reading = parsePrice(cell);
  switch (reading.kind) {
    case "none":
      return { price: null, warnings: [] };
    case "amount":
      return { price: reading.amount, warnings: [] };
    case "unreadable":
      return { price: null, warnings: [`Price "${cutText(reading.text, 60)}" is not an amount; it is kept as typed`] };
  }
}
