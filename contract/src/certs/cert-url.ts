import { COMPANIES, type Company } from "./company.ts";

/**
 * The links in the codes on slabs: PSA's QR code is /cert/{n}, CGC's is /certlookup/{n}/{grade}/, and TAG's is
 * /card/{n}. The number may contain a dash. A path, a query or punctuation may follow it. A PSA number may lack leading
 * zeros that a spreadsheet dropped.
 */
const TAIL = String.raw`(?:[/?#]\S*|[.,;:!)>\]]*)$`;
const LINKS: Record<Company, string> = {
  PSA: String.raw`(?:www\.|m\.)?psacard\.com/cert/(\d{6,9})`,
  CGC: String.raw`(?:www\.|m\.)?(?:cgccards|cgccomics)\.com/certlookup/(\d{7}-?\d{3}|\d{10}-?\d{3})`,
  TAG: String.raw`(?:my\.|www\.|m\.)?taggrading\.com/card/([a-z]\d{7})`,
};
const PATTERNS = COMPANIES.map((company) => ({ company, pattern: new RegExp(`^${LINKS[company]}${TAIL}`, "i") }));

/**
 * Parses the company and the number from a certificate link. The number isn't repaired, so that every repair is
 * reported (`repairs.ts`). Null if the text isn't a certificate link.
 */
export function parseCertUrl(text: string): { company: Company; number: string } | null {
  const address = text.trim().replace(/^[<([]?(?:https?:)?\/\//i, "");
  for (const { company, pattern } of PATTERNS) {
    const number = pattern.exec(address)?.[1];
    if (number !== undefined) return { company, number };
  }
  return null;
}
