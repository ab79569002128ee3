import { COMPANIES, type Company } from "./company.ts";

/** The links in the codes on slabs. A spreadsheet may have dropped a PSA number's leading zeros. */
const TAIL = String.raw`(?:[/?#]\S*|[.,;:!)>\]]*)$`;
const LINKS: Record<Company, string> = {
  PSA: String.raw`(?:www\.|m\.)?psacard\.com/cert/(\d{6,9})`,
  CGC: String.raw`(?:www\.|m\.)?(?:cgccards|cgccomics)\.com/certlookup/(\d{7}-?\d{3}|\d{10}-?\d{3})`,
  TAG: String.raw`(?:my\.|www\.|m\.)?taggrading\.com/card/([a-z]\d{7})`,
};
const PATTERNS = COMPANIES.map((company) => ({ company, pattern: new RegExp(`^${LINKS[company]}${TAIL}`, "i") }));

/** The company and the number in a certificate link, else null. Repairs of the number are reported separately. */
export function parseCertUrl(text: string): { company: Company; number: string } | null {
  const address = text.trim().replace(/^[<([]?(?:https?:)?\/\//i, "");
  for (const { company, pattern } of PATTERNS) {
    const number = pattern.exec(address)?.[1];
    if (number !== undefined) return { company, number };
  }
  return null;
}
