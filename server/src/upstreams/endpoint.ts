import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";

/** The outbound endpoints with their upstreams. Each is one host. */
export const SOURCE_OF = {
  "psa-api": "psa",
  "psa-page": "psa",
  "cgc-api": "cgc",
  "cgc-page": "cgc",
  "tag-api": "tag",
  "tag-page": "tag",
  "tag-images": "tag",
  "cardladder-sign-in": "cardladder",
  cardladder: "cardladder",
  cardsiq: "cardsiq",
} as const satisfies Record<string, SourceName>;
export type EndpointName = keyof typeof SOURCE_OF;

/** The lane and upstream of each company. */
export const LANE_OF = { PSA: "psa", CGC: "cgc", TAG: "tag" } as const satisfies Record<Company, SourceName>;

/** Endpoints that can be paused, in source order. The other two belong to lookups of TAG's page and CardLadder. */
export const LOOKUP_ENDPOINTS = {
  psa: ["psa-api", "psa-page"],
  cgc: ["cgc-api", "cgc-page"],
  tag: ["tag-api", "tag-page"],
  cardladder: ["cardladder"],
  cardsiq: ["cardsiq"],
} as const satisfies Record<SourceName, readonly EndpointName[]>;
export type LookupEndpoint = (typeof LOOKUP_ENDPOINTS)[SourceName][number];
export const LOOKUP_ENDPOINT_NAMES = Object.values(LOOKUP_ENDPOINTS).flat();
export const ENDPOINT_NAMES = [...LOOKUP_ENDPOINT_NAMES, "tag-images", "cardladder-sign-in"] as const;

export type UpstreamRequest = {
  url: string;
  method?: "GET" | "POST" | "HEAD";
  headers?: Record<string, string>;
  body?: string;
};

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): UpstreamRequest {
  return {
    url,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** Only `answered` carries a response. `redirected`: to another host, which is never followed. */
export type UpstreamAnswer =
  | { kind: "answered"; status: number; headers: Record<string, string>; text: string; url: string }
  | { kind: "timed_out"; timeoutMs: number }
  | { kind: "too_large"; limitBytes: number }
  | { kind: "redirected"; to: string }
  | { kind: "network_error"; cause: Error };

/** The port that graders and price sources call through. Never throws for an upstream failure. */
export type Endpoint = (request: UpstreamRequest) => Promise<UpstreamAnswer>;
export type Endpoints = Record<EndpointName, Endpoint>;
