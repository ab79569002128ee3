import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Grader } from "../../graders/grader.ts";
import type { LookupEndpoint } from "../../upstreams/endpoint.ts";

/** A source of cards. `endpoint` is null if it makes no call: an API without credentials answers `not_configured`. */
export type Source = { source: CardSource; endpoint: LookupEndpoint | null };
/** Returns the sources that a mode uses, in order. If scraping is off, pages are never read. */
export type SourcesOf = (company: Company, mode: Mode) => Source[];

export function createSourceOrders(graders: Record<Company, Grader>, scraping: "on" | "off"): SourcesOf {
  return (company, mode) => {
    const { hasApi } = graders[company];
    const [api, page] = ENDPOINTS[company];
    const viaApi: Source = { source: "api", endpoint: hasApi ? api : null };
    const viaPage: Source[] = scraping === "on" ? [{ source: "page", endpoint: page }] : [];
    if (mode === "scraping") return viaPage;
    if (mode === "api" || scraping === "off") return [viaApi];
    return hasApi ? [viaApi, ...viaPage] : viaPage;
  };
}

const ENDPOINTS = {
  PSA: ["psa-api", "psa-page"],
  CGC: ["cgc-api", "cgc-page"],
  TAG: ["tag-api", "tag-page"],
} as const satisfies Record<Company, readonly LookupEndpoint[]>;

export const SCRAPING_OFF = "Web scraping is turned off. Choose API only, or ask an administrator to turn it on";
