import { isNumberOf, parseCertNumber, type CertNumberReading } from "./cert-number.ts";
import { COMPANIES, parseCompany, type Company } from "./company.ts";

/**
 * A certificate as a sheet names it: the number read as one of the company that its cell names, null when that is none
 * of the three, and the company that the number itself names instead.
 */
export type SheetCert = { reading: CertNumberReading | null; suggestion: Company | null };

/** Reads a number and its company together. See `proposeCompany` for what is proposed. */
export function readSheetCert(certCell: string, companyCell: string): SheetCert {
  const named = companyIn(companyCell);
  if (named === null) {
    const suggestion = companyCell.trim() === "" ? COMPANIES.find((company) => isNumberOf(company, certCell)) : null;
    return { reading: null, suggestion: suggestion ?? null };
  }
  const reading = parseCertNumber(named, certCell);
  if (!reading.ok) return { reading, suggestion: reading.looksLike };
  return { reading, suggestion: parseCompany(companyCell) === named ? null : named };
}

/**
 * The company that a number's form or link names where the company's cell is empty or contradicts it: PSA has 8 or 9
 * digits, CGC 10 or 13, TAG a letter and 7 digits. Null when the cell and the number agree, when the cell names a
 * company that is not supported, and when the form does not tell.
 */
export function suggestCompany(certCell: string, companyCell: string): Company | null {
  return readSheetCert(certCell, companyCell).suggestion;
}

/** "PSA 10" and "psa/dna" name PSA, though not as SPEC's column does. */
export function companyIn(cell: string): Company | null {
  const word = /^\s*([a-z]{3})(?![a-z])/i.exec(cell)?.[1];
  return word === undefined ? null : parseCompany(word);
}
