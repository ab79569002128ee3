import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Grader } from "../../graders/grader.ts";
import type { LookupEndpoint } from "../../upstreams/endpoint.ts";

export type SourceOrders = ReturnType<typeof createSourceOrders>;

/** Defines which sources each mode uses, for runs and plans. If `scraping` is off, pages are never read. */
export function createSourceOrders(graders: Record<Company, Grader>, scraping: "on" | "off") {
  return {
    /**
     * Returns a mode's sources, in order. Mode `api` includes an API without credentials; it answers `not_configured`.
     */
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

    /** Whether a look-up makes a call, which a breaker can refuse. */
    isGated: (company: Company, source: CardSource): boolean => source === "page" || graders[company].hasApi,

    endpointOf: (company: Company, source: CardSource): LookupEndpoint => ENDPOINTS[company][source],
  };
}

const ENDPOINTS = {
  PSA: { api: "psa-api", page: "psa-page" },
  CGC: { api: "cgc-api", page: "cgc-page" },
  TAG: { api: "tag-api", page: "tag-page" },
} as const satisfies Record<Company, Record<CardSource, LookupEndpoint>>;

export const SCRAPING_OFF = "Web scraping is turned off. Choose API only, or ask an administrator to turn it on";
