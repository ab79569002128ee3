import { parseCertNumber, readSheetCert, REPAIR_LABELS } from "@slabdesk/contract/certs/cert-number.ts";
import { parseCertUrl } from "@slabdesk/contract/certs/cert-text.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";

/** The company filter; `auto` detects the company from the number's format or link. */
export type CompanyChoice = Company | "auto";

/** The result of reading a scan. `repaired` is a message about the repair, "" if nothing was repaired. */
export type ScanReading =
  | { kind: "ready"; company: Company; certNumber: string; repaired: string }
  | { kind: "unreadable"; message: string };

/** Reads a number or certificate link. The chosen company applies if the number fits it. */
export function readScan(text: string, choice: CompanyChoice): ScanReading {
  const chosen = choice === "auto" ? null : choice;
  for (const company of [chosen, readSheetCert(text, "").suggestion]) {
    if (company === null) continue;
    const number = parseCertNumber(company, text);
    if (!number.ok) continue;
    // Reading the number from a slab's link is normal, not a repair.
    const repairs = number.repairs.filter((repair) => repair !== "read_from_link");
    const repaired = repairs.map((repair) => REPAIR_LABELS[repair]).join(", ");
    return { kind: "ready", company, certNumber: number.certNumber, repaired };
  }
  return { kind: "unreadable", message: unreadableReason(text, chosen) };
}

function unreadableReason(text: string, chosen: Company | null): string {
  if (/^https?:/i.test(text.trim()) && parseCertUrl(text) === null)
    return "This link isn't a PSA, CGC or TAG cert link.";
  const readings = COMPANIES.map((company) => ({ company, number: parseCertNumber(company, text) }));
  const possible = readings.find(({ number }) => number.ok);
  if (possible) {
    return `“${cutText(text.trim(), 40)}” isn't a complete cert number. If it's from ${possible.company}, choose ${possible.company} and scan it again.`;
  }
  const lost = readings.find(({ number }) => !number.ok && number.reason === "digits_lost");
  const told = lost ?? readings.find(({ company }) => company === chosen);
  if (told && !told.number.ok) return `${told.number.message}.`;
  return `“${cutText(text.trim(), 40)}” isn't a cert number. PSA has 8 or 9 digits, CGC 10 or 13, TAG a letter and 7 digits.`;
}
