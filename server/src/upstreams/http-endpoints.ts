import { recordOf } from "@slabdesk/contract/api/cards.ts";
import type { Config } from "../config.ts";
import { ENDPOINT_NAMES, type Endpoint, type EndpointName, type Endpoints } from "./endpoint.ts";
import { createExchange, type Exchange } from "./http-exchange.ts";

/** A page's HTML is read in a child process. JSON is parsed in the server, so it must be short. */
const PAGE_LIMIT_BYTES = 5_000_000;
const JSON_LIMIT_BYTES = 1_000_000;
/** A grader's API usually sends a few thousand bytes per card. */
const CARD_LIMIT_BYTES = 200_000;

const JSON_TYPE = "application/json";

/** The default `Accept` header. PSA's API returns XML unless the request accepts JSON. */
function acceptOf(name: EndpointName): string {
  if (name === "tag-images") return "image/*";
  return name.endsWith("-page") ? "text/html" : JSON_TYPE;
}

/** The endpoints over HTTP. `REQUEST_TIMEOUT_MS` covers all of a request. Redirects stay within the origin. */
export function createEndpoints(settings: Pick<Config, "REQUEST_TIMEOUT_MS">) {
  const exchangeUpTo = (limitBytes: number): Exchange =>
    createExchange({
      timeoutMs: settings.REQUEST_TIMEOUT_MS,
      limitBytes,
      mayFollow: (from, to) => from.origin === to.origin,
    });
  const ofPages = exchangeUpTo(PAGE_LIMIT_BYTES);
  const ofJson = exchangeUpTo(JSON_LIMIT_BYTES);
  const ofCards = exchangeUpTo(CARD_LIMIT_BYTES);
  const endpoints: Endpoints = recordOf(ENDPOINT_NAMES, (name) => {
    const accept = acceptOf(name);
    const exchange = accept === JSON_TYPE ? ofJson : ofPages;
    return [name, openEndpoint(name.endsWith("-api") ? ofCards : exchange, accept)];
  });
  const close = async () => void (await Promise.all([ofPages, ofJson, ofCards].map((one) => one.close())));
  return { endpoints, close };
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
