import { recordOf } from "@slabdesk/contract/api/cards.ts";
import type { Config } from "../config.ts";
import { ENDPOINT_NAMES, type Endpoint, type EndpointName, type Endpoints } from "./endpoint.ts";
import { createExchange, type Exchange } from "./http-exchange.ts";

const ANSWER_LIMIT_BYTES = 5_000_000;

/** The default `Accept` header. PSA's API returns XML unless the request accepts JSON. */
function acceptOf(name: EndpointName): string {
  if (name === "tag-images") return "image/*";
  return name.endsWith("-page") ? "text/html" : "application/json";
}

/** The endpoints over HTTP. `REQUEST_TIMEOUT_MS` covers all of a request. Redirects stay within the origin. */
export function createEndpoints(settings: Pick<Config, "REQUEST_TIMEOUT_MS">) {
  const exchange = createExchange({
    timeoutMs: settings.REQUEST_TIMEOUT_MS,
    limitBytes: ANSWER_LIMIT_BYTES,
    mayFollow: (from, to) => from.origin === to.origin,
  });
  const endpoints: Endpoints = recordOf(ENDPOINT_NAMES, (name) => [name, openEndpoint(exchange, acceptOf(name))]);
  return { endpoints, close: exchange.close };
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
