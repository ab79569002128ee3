import type { SourceName } from "@slabdesk/contract/api/sources.ts";

/** The endpoints to the outside: one host of one upstream each (DESIGN section 4). */
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
/** The endpoints that may be paused; TAG's photos are part of a look-up by its page, CardLadder's sign-in of its calls. */
export type LookupEndpoint = Exclude<EndpointName, "tag-images" | "cardladder-sign-in">;

/** Whose endpoints they are. */
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

/** The endpoints of each upstream that may be paused, in the order in which they are asked. */
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
 * What came back through an endpoint. Only `answered` carries what the upstream said; the rest are the ways in which no
 * usable answer came. `redirected` means to another host, which is never followed.
 *
 * `judge` is there where calls are noted (call-log.ts). Whoever reads an answer says with it, before anything else is
 * awaited, whether it was of use: its status alone does not tell.
 */
export type UpstreamAnswer =
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      text: string;
      url: string;
      judge?: (isOfUse: boolean) => void;
    }
  | { kind: "timed_out"; timeoutMs: number }
  | { kind: "too_large"; limitBytes: number }
  | { kind: "redirected"; to: string }
  | { kind: "network_error"; cause: Error };

/** The port that graders and price sources call through. Never throws for anything the other side does. */
export type Endpoint = (request: UpstreamRequest) => Promise<UpstreamAnswer>;
export type Endpoints = Record<EndpointName, Endpoint>;
