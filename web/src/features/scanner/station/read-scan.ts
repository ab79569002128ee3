import { parseCertNumber, REPAIR_LABELS } from "@slabdesk/contract/certs/cert-number.ts";
import { parseCertUrl } from "@slabdesk/contract/certs/cert-url.ts";
import { suggestCompany } from "@slabdesk/contract/certs/company-suggestion.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { cutText } from "@slabdesk/contract/sheet/text.ts";

/** Whose numbers are scanned; `auto` leaves it to the number's form or link. */
export const COMPANY_CHOICES = ["auto", ...COMPANIES] as const;
export type CompanyChoice = (typeof COMPANY_CHOICES)[number];

/** What a scan is. `repaired` says in words what was done to the number, "" when nothing was. */
export type ScanReading =
  | { kind: "ready"; company: Company; certNumber: string; repaired: string }
  | { kind: "unreadable"; message: string };

/**
 * Reads what a scanner typed: a bare number or a certificate's link. The chosen company counts where the number can be
 * one of its own; a number of another company's form is still read as what it is.
 */
export function readScan(text: string, choice: CompanyChoice): ScanReading {
  const chosen = choice === "auto" ? null : choice;
  for (const company of [chosen, suggestCompany(text, "")]) {
    if (company === null) continue;
    const number = parseCertNumber(company, text);
    if (!number.ok) continue;
    // A link is how a slab's code says its number: nothing was wrong with it.
    const repairs = number.repairs.filter((repair) => repair !== "read_from_link");
    const repaired = repairs.map((repair) => REPAIR_LABELS[repair]).join(", ");
    return { kind: "ready", company, certNumber: number.certNumber, repaired };
  }
  return { kind: "unreadable", message: unreadableReason(text, chosen) };
}

function unreadableReason(text: string, chosen: Company | null): string {
  if (/^https?:/i.test(text.trim()) && parseCertUrl(text) === null)
    return "This link does not lead to a certificate of PSA, CGC or TAG.";
  const readings = COMPANIES.map((company) => ({ company, number: parseCertNumber(company, text) }));
  const possible = readings.find(({ number }) => number.ok);
  if (possible) {
    return `“${cutText(text.trim(), 40)}” is no whole number of any company. If it is from ${possible.company}, choose ${possible.company} and scan it again.`;
  }
  const lost = readings.find(({ number }) => !number.ok && number.reason === "digits_lost");
  const told = lost ?? readings.find(({ company }) => company === chosen);
  if (told && !told.number.ok) return `${told.number.message}.`;
  return `“${cutText(text.trim(), 40)}” is no certificate number: PSA has 8 or 9 digits, CGC 10 or 13, TAG a letter and 7 digits.`;
}
