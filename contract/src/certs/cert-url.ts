import type { Company } from "./company.ts";

/**
 * Links behind the codes on slabs: PSA's QR code is /cert/{n}, CGC's is /certlookup/{n}/{grade}/, TAG's is
 * /card/{n}. Dashes and a tail after the number are allowed.
 */
const LINKS: { company: Company; pattern: RegExp }[] = [
  { company: "PSA", pattern: /^(?:www\.)?psacard\.com\/cert\/(\d{8,9})(?:[/?#]|$)/i },
  {
    company: "CGC",
    pattern: /^(?:www\.)?(?:cgccards|cgccomics)\.com\/certlookup\/(\d{7}-?\d{3}|\d{10}-?\d{3})(?:[/?#]|$)/i,
  },
  { company: "TAG", pattern: /^my\.taggrading\.com\/card\/([a-z]\d{7})(?:[/?#]|$)/i },
];

/** Reads the company and number out of a certificate link; null when the text is no such link. */
export function parseCertUrl(text: string): { company: Company; certNumber: string } | null {
  const address = text.trim().replace(/^https?:\/\//i, "");
  for (const { company, pattern } of LINKS) {
    const number = pattern.exec(address)?.[1];
    if (number) return { company, certNumber: number.replace("-", "").toUpperCase() };
  }
  return null;
}
