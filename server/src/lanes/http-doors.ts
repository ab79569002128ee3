import type { Config } from "../config.ts";
import type { Door, DoorName, Doors } from "./door.ts";
import { createExchange } from "./http-exchange.ts";
import type { Exchange } from "./http-exchange.ts";

const ANSWER_LIMIT_BYTES = 5_000_000;

/** What each door asks for, unless the request says otherwise. PSA's API answers XML to anything but JSON. */
const ACCEPT: Record<DoorName, string> = {
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
 * The doors over HTTP. A request takes at most `REQUEST_TIMEOUT_MS` from connecting to the last byte, a body 5 MB
 * after decompression; up to 3 redirects are followed on the same scheme, host and port.
 */
export function createDoors(settings: Pick<Config, "REQUEST_TIMEOUT_MS">): { doors: Doors; close(): Promise<void> } {
  const exchange = createExchange({
    timeoutMs: settings.REQUEST_TIMEOUT_MS,
    limitBytes: ANSWER_LIMIT_BYTES,
    mayFollow: (from, to) => from.origin === to.origin,
  });
  const doorOf = (name: DoorName): Door => openDoor(exchange, ACCEPT[name]);
  const doors: Doors = {
    "psa-api": doorOf("psa-api"),
    "psa-page": doorOf("psa-page"),
    "cgc-api": doorOf("cgc-api"),
    "cgc-page": doorOf("cgc-page"),
    "tag-api": doorOf("tag-api"),
    "tag-page": doorOf("tag-page"),
    "tag-images": doorOf("tag-images"),
    "cardladder-sign-in": doorOf("cardladder-sign-in"),
    cardladder: doorOf("cardladder"),
    cardsiq: doorOf("cardsiq"),
  };
  return { doors, close: () => exchange.close() };
}

function openDoor(exchange: Exchange, accept: string): Door {
  return async (request) => {
    const answer = await exchange.send({ ...request, headers: { accept, ...request.headers } });
    if (answer.kind !== "answered") return answer;
    const { status, headers, bytes, url } = answer;
    return { kind: "answered", status, headers, text: decodeText(bytes, headers["content-type"] ?? ""), url: url.href };
  };
}

/** Bytes as text in the charset of the header, else of an HTML page's own `<meta>`, else UTF-8. */
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
