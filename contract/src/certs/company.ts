export const COMPANIES = ["PSA", "CGC", "TAG"] as const;
export type Company = (typeof COMPANIES)[number];

/** Parses a company name. Ignores case and surrounding white space. Null if the company isn't supported. */
export function parseCompany(text: string): Company | null {
  const wanted = text.trim().toUpperCase();
  return COMPANIES.find((company) => company === wanted) ?? null;
}

export function certUrlOf(company: Company, certNumber: string): string {
  const urls: Record<Company, string> = {
    PSA: `https://www.psacard.com/cert/${certNumber}/psa`,
    CGC: `https://www.cgccards.com/certlookup/${certNumber}/`,
    TAG: `https://my.taggrading.com/card/${certNumber}`,
  };
  return urls[company];
}

/** The brand of a PSA certificate for an autograph alone. Its grade is the autograph's, so no card price applies to it. */
export const AUTOGRAPH_BRAND = "PSA/DNA";
