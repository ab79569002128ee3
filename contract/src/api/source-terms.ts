import type { SourceName } from "./sources.ts";

/** What each upstream's terms allow and which permission its use requires. Also in docs/sources.md. */
export const SOURCE_TERMS: Record<SourceName, { terms: string; permission: string }> = {
  psa: {
    terms:
      "Collectors' user agreement of 9 July 2026 is said to license non-commercial use and to ban robots, scraping and doing the same by hand; the agreement on the API stands behind PSA's sign-in and was not read.",
    permission:
      "An API token of your own PSA account, and Collectors' consent to business use; nothing known allows reading its pages.",
  },
  cgc: {
    terms:
      "The terms of its sister site cgccomics.com are quoted as forbidding any robot, spider or other automatic device; those of cgccards.com and of the dealer API were not read.",
    permission: "A dealer account with access to the API, and CGC's written consent before its pages are read.",
  },
  tag: {
    terms: "Not known: no terms and no documents of its API were found.",
    permission:
      "TAG's consent, and a key that it gives for this use; its site's own key and encryption are never used or got around.",
  },
  cardladder: {
    terms:
      "Reported by others, not read: no robots or data mining without written consent, personal and non-commercial use only, no filling of databases.",
    permission:
      "CardLadder's written consent, and a paid account of your own; an API for businesses and dealers is spoken of.",
  },
  cardsiq: {
    terms:
      "No terms of its API are public; those of cardsiq.io of 11 December 2025 are about its marketplace. Keys go to partners.",
    permission: "An address and a key from CardsIQ, and its consent to storing and showing its values.",
  },
};
