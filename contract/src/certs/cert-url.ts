import type { Company } from "./company.ts";

/**
 * Links behind the codes on slabs: PSA's QR code is /cert/{n}, CGC's is /certlookup/{n}/{grade}/, TAG's is
 * /card/{n}. A dash in the number, and after it a tail, a query or the punctuation of a sentence, are allowed. So is a
 * PSA number whose zeros a spreadsheet has lost.
 */
const TAIL = String.raw`(?:[/?#]\S*|[.,;:!)>\]]*)$`;
const LINKS: { company: Company; pattern: RegExp }[] = [
  { company: "PSA", pattern: new RegExp(String.raw`^(?:www\.|m\.)?psacard\.com/cert/(\d{6,9})${TAIL}`, "i") },
  {
    company: "CGC",
    pattern: new RegExp(
      String.raw`^(?:www\.|m\.)?(?:cgccards|cgccomics)\.com/certlookup/(\d{7}-?\d{3}|\d{10}-?\d{3})${TAIL}`,
      "i",
    ),
  },
  {
    company: "TAG",
    pattern: new RegExp(String.raw`^(?:my\.|www\.|m\.)?taggrading\.com/card/([a-z]\d{7})${TAIL}`, "i"),
  },
];

/**
 * Reads the company and the number out of a certificate link, the number as it stands there: what it still needs is a
 * repair to tell of (`sheet/cases.ts`). Null when the text is no such link.
 */
export function parseCertUrl(text: string): { company: Company; number: string } | null {
  const address = text.trim().replace(/^[<([]?(?:https?:)?\/\//i, "");
  for (const { company, pattern } of LINKS) {
    const number = pattern.exec(address)?.[1];
    if (number !== undefined) return { company, number };
  }
  return null;
}
