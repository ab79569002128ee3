import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Grader } from "../../graders/grader.ts";
import type { LookupDoor } from "../../lanes/door.ts";

export type Ways = ReturnType<typeof createWays>;

/** Which sources each mode asks. The run and the plan both go by it. `scraping` off means that pages are never read. */
export function createWays(graders: Record<Company, Grader>, scraping: "on" | "off") {
  return {
    /** The sources that a mode asks, in their order. An API without credentials is asked only to say so. */
    sourcesOf(company: Company, mode: Mode): CardSource[] {
      switch (mode) {
        case "api":
          return ["api"];
        case "scraping":
          return scraping === "on" ? ["page"] : [];
        case "api-with-fallback":
          if (scraping === "off") return ["api"];
          return graders[company].hasApi ? ["api", "page"] : ["page"];
      }
    },

    /** Whether asking means a call, which a breaker may hold back. */
    isGated: (company: Company, source: CardSource): boolean => source === "page" || graders[company].hasApi,

    doorOf: (company: Company, source: CardSource): LookupDoor => DOORS[company][source],
  };
}

const DOORS = {
  PSA: { api: "psa-api", page: "psa-page" },
  CGC: { api: "cgc-api", page: "cgc-page" },
  TAG: { api: "tag-api", page: "tag-page" },
} as const satisfies Record<Company, Record<CardSource, LookupDoor>>;

export const SCRAPING_OFF =
  "Web scraping is switched off by the administrator. Choose API only, or ask for it to be switched on";
