import type { SourceName } from "./sources.ts";

/** What each upstream's terms allow and which permission its use requires. Also in docs/sources.md. */
export const SOURCE_TERMS: Record<SourceName, { terms: string; permission: string }> = {
  psa: {
    terms:
      "Collectors' user agreement of Jul 9, 2026 reportedly allows only non-commercial use and bans robots, scraping, and copying by hand. The API's agreement is behind PSA's sign-in and was not read.",
    permission:
      "An API token of your own PSA account, and Collectors' consent to business use. No known terms allow reading its website.",
  },
  cgc: {
    terms:
      "Its sister site cgccomics.com reportedly forbids robots, spiders, and other automatic devices. The terms of cgccards.com and of the dealer API were not read.",
    permission: "A dealer account with access to the API, and CGC's written consent to reading its website.",
  },
  tag: {
    terms: "Unknown. No terms or documentation of its API were found.",
    permission:
      "TAG's consent, and a key from TAG for this use. Slabdesk never uses the key of TAG's own site and never bypasses its encryption.",
  },
  cardladder: {
    terms:
      "Reported by others, not read: personal and non-commercial use only; no robots, data mining, or building of databases without written consent.",
    permission:
      "CardLadder's written consent, and a paid account of your own. CardLadder reportedly offers businesses and dealers an API.",
  },
  cardsiq: {
    terms:
      "Its API has no public terms. Those of cardsiq.io of Dec 11, 2025 cover its marketplace. Only partners get keys.",
    permission: "An address and a key from CardsIQ, and its consent to storing and showing its prices.",
  },
};
