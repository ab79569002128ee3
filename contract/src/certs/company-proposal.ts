import { parseCertNumber, type CertRepair } from "./cert-number.ts";
import { parseCertUrl } from "./cert-url.ts";
import { COMPANIES, parseCompany, type Company } from "./company.ts";

/**
 * The company that a number's form or link names where the company's cell is empty or contradicts it: PSA has 8 or 9
 * digits, CGC 10 or 13, TAG a letter and 7 digits. Null when the cell and the number agree, when the cell names a
 * company that is not supported, and when the form does not tell.
 */
export function proposeCompany(certCell: string, companyCell: string): Company | null {
  const named = companyIn(companyCell);
  if (named === null && companyCell.trim() !== "") return null;
  const link = parseCertUrl(certCell);
  const told = link ? [link.company] : COMPANIES.filter((company) => hasForm(company, certCell));
  if (named !== null && told.includes(named)) return parseCompany(companyCell) === named ? null : named;
  if (named !== null && parseCertNumber(named, certCell).ok) return null;
  const [only, ...others] = told;
  return only !== undefined && others.length === 0 ? only : null;
}

/** "PSA 10" and "psa/dna" name PSA, though not as SPEC's column does. */
export function companyIn(cell: string): Company | null {
  const word = /^\s*([a-z]{3})(?![a-z])/i.exec(cell)?.[1];
  return word === undefined ? null : parseCompany(word);
}

/** A repair that makes up a digit proves nothing about the company. */
const GUESSING: readonly CertRepair[] = ["leading_zero_restored"];

function hasForm(company: Company, cell: string): boolean {
  const reading = parseCertNumber(company, cell);
  return reading.ok && !reading.repairs.some((repair) => GUESSING.includes(repair));
}
