import type { SourceName } from "@slabdesk/contract/api/sources.ts";

/** The outbound endpoints. Each is one host of one upstream. */
export const ENDPOINT_NAMES = [
  "psa-api",
  "psa-page",
  "cgc-api",
  "cgc-page",
  "tag-api",
  "tag-page",
  "tag-images",
  "cardladder-sign-in",
  "cardladder",
  "cardsiq",
] as const;
export type EndpointName = (typeof ENDPOINT_NAMES)[number];
/**
 * Endpoints that can be paused. `tag-images` belongs to a TAG page look-up, `cardladder-sign-in` to CardLadder's calls.
 */
export type LookupEndpoint = Exclude<EndpointName, "tag-images" | "cardladder-sign-in">;

/** The upstream of each endpoint. */
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
} as const satisfies Record<EndpointName, SourceName>;
type EndpointOf<S extends SourceName> = {
  [D in LookupEndpoint]: (typeof SOURCE_OF)[D] extends S ? D : never;
}[LookupEndpoint];

/** Endpoints of each upstream that can be paused, in source order. */
export const LOOKUP_ENDPOINTS = {
  psa: ["psa-api", "psa-page"],
  cgc: ["cgc-api", "cgc-page"],
  tag: ["tag-api", "tag-page"],
  cardladder: ["cardladder"],
  cardsiq: ["cardsiq"],
} as const satisfies { [S in SourceName]: readonly EndpointOf<S>[] };

export type UpstreamRequest = {
  url: string;
  method?: "GET" | "POST" | "HEAD";
  headers?: Record<string, string>;
  body?: string;
};

/**
 * The result of a call through an endpoint. Only `answered` carries the upstream's response; the other kinds are
 * failures. `redirected`: the upstream redirected to another host, which is never followed.
 */
export type UpstreamAnswer =
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      text: string;
      url: string;
    }
  | { kind: "timed_out"; timeoutMs: number }
  | { kind: "too_large"; limitBytes: number }
  | { kind: "redirected"; to: string }
  | { kind: "network_error"; cause: Error };

/** The port that graders and price sources call through. Never throws for an upstream failure. */
export type Endpoint = (request: UpstreamRequest) => Promise<UpstreamAnswer>;
export type Endpoints = Record<EndpointName, Endpoint>;
