/** The supported grading companies. */
export const COMPANIES = ["PSA", "CGC", "TAG"] as const;
export type Company = (typeof COMPANIES)[number];

/** Parses a company name. Ignores case and surrounding white space. Null if the company isn't supported. */
export function parseCompany(text: string): Company | null {
  const wanted = text.trim().toUpperCase();
  return COMPANIES.find((company) => company === wanted) ?? null;
}

/** The public page of a certificate. */
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
