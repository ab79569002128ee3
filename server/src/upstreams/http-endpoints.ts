import type { Config } from "../config.ts";
import type { Endpoint, EndpointName, Endpoints } from "./endpoint.ts";
import { createExchange, type Exchange } from "./http-exchange.ts";

const ANSWER_LIMIT_BYTES = 5_000_000;

/** Default `Accept` header per endpoint. PSA's API returns XML unless the request accepts JSON. */
const ACCEPT: Record<EndpointName, string> = {
  "psa-api": "application/json",
  "psa-page": "text/html",
  "cgc-api": "application/json",
  "cgc-page": "text/html",
  "tag-api": "application/json",
  "tag-page": "text/html",
  "tag-images": "image/*",
  "cardladder-sign-in": "application/json",
  cardladder: "application/json",
  cardsiq: "application/json",
};

/**
 * The endpoints over HTTP. A request may take `REQUEST_TIMEOUT_MS` from connecting to the last byte. A body may have 5
 * MB after decompression. Up to 3 redirects are followed within the same origin.
 */
export function createEndpoints(settings: Pick<Config, "REQUEST_TIMEOUT_MS">): {
  endpoints: Endpoints;
  close(): Promise<void>;
} {
  const exchange = createExchange({
    timeoutMs: settings.REQUEST_TIMEOUT_MS,
    limitBytes: ANSWER_LIMIT_BYTES,
    mayFollow: (from, to) => from.origin === to.origin,
  });
  const endpointOf = (name: EndpointName): Endpoint => openEndpoint(exchange, ACCEPT[name]);
  const endpoints: Endpoints = {
    "psa-api": endpointOf("psa-api"),
    "psa-page": endpointOf("psa-page"),
    "cgc-api": endpointOf("cgc-api"),
    "cgc-page": endpointOf("cgc-page"),
    "tag-api": endpointOf("tag-api"),
    "tag-page": endpointOf("tag-page"),
    "tag-images": endpointOf("tag-images"),
    "cardladder-sign-in": endpointOf("cardladder-sign-in"),
    cardladder: endpointOf("cardladder"),
    cardsiq: endpointOf("cardsiq"),
  };
  return { endpoints, close: () => exchange.close() };
}

function openEndpoint(exchange: Exchange, accept: string): Endpoint {
  return async (request) => {
    const answer = await exchange.send({ ...request, headers: { accept, ...request.headers } });
    if (answer.kind !== "answered") return answer;
    const { status, headers, bytes, url } = answer;
    return { kind: "answered", status, headers, text: decodeText(bytes, headers["content-type"] ?? ""), url: url.href };
  };
}

/** Decodes bytes with the charset of the header, else of an HTML page's `<meta>`, else UTF-8. */
function decodeText(bytes: Buffer, contentType: string): string {
  const named = CHARSET.exec(contentType)?.[1];
  const inPage = contentType.includes("html") ? META_CHARSET.exec(bytes.toString("latin1", 0, 1024))?.[1] : undefined;
  return decoderOf(named ?? inPage ?? "utf-8").decode(bytes);
}

const CHARSET = /charset\s*=\s*["']?([^\s"';]+)/i;
const META_CHARSET = /<meta[^>]+charset\s*=\s*["']?([^\s"';/>]+)/i;

function decoderOf(label: string) {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder("utf-8");
    throw error;
  }
}
