/** The grading companies Slabdesk looks certificates up at (SPEC section 1). */
export const COMPANIES = ["PSA", "CGC", "TAG"] as const;
export type Company = (typeof COMPANIES)[number];

/** Reads a company as staff type it: surrounding space and letter case do not matter. Null when it is none of the three. */
export function parseCompany(text: string): Company | null {
  const wanted = text.trim().toUpperCase();
  return COMPANIES.find((company) => company === wanted) ?? null;
}

/** The public page of a certificate, as staff and buyers open it. */
export function certUrlOf(company: Company, certNumber: string): string {
  switch (company) {
    case "PSA":
      return `https://www.psacard.com/cert/${certNumber}/psa`;
    case "CGC":
      return `https://www.cgccards.com/certlookup/${certNumber}/`;
    case "TAG":
      return `https://my.taggrading.com/card/${certNumber}`;
  }
}
