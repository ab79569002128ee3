import { isNumberOf, parseCertNumber, type CertNumberReading } from "./cert-number.ts";
import { COMPANIES, parseCompany, type Company } from "./company.ts";

/** `reading` is null if the company isn't supported. `suggestion` is the company that the number indicates instead. */
export type SheetCert = { reading: CertNumberReading | null; suggestion: Company | null };

/** Parses a number together with its company. See `suggestCompany` for the suggested company. */
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
 * The company that the number's format or link indicates if the company cell is empty or contradicts the number. Null
 * if they agree, if the cell names an unsupported company, or if the format is inconclusive.
 */
export function suggestCompany(certCell: string, companyCell: string): Company | null {
  return readSheetCert(certCell, companyCell).suggestion;
}

/** The company at the start of a cell. "PSA 10" and "psa/dna" indicate PSA, but aren't exact company names. */
export function companyIn(cell: string): Company | null {
  const word = /^\s*([a-z]{3})(?![a-z])/i.exec(cell)?.[1];
  return word === undefined ? null : parseCompany(word);
}
