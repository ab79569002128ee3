import type { IncomingHttpHeaders } from "node:http";
import type { LookupFunction } from "node:net";
import { Agent, errors, interceptors, type Dispatcher } from "undici";
import { codeOf } from "@slabdesk/embedded-database/embedded-database-error.ts";
import type { UpstreamAnswer, UpstreamRequest } from "./endpoint.ts";

const MAX_REDIRECTS = 3;
/** Redirect bodies are read up to this size so that the connection can be reused. */
const REDIRECT_BODY_BYTES = 64 * 1024;

/** Cloudflare rejects the names of HTTP libraries with error 1010. This one identifies the caller in the usual form. */
const USER_AGENT = "Mozilla/5.0 (compatible; Slabdesk/0.1; certificate lookup)";

/** An answer with its decompressed body. Header names are lower case. */
export type ExchangeAnswer =
  | { kind: "answered"; status: number; headers: Record<string, string>; bytes: Buffer; url: URL }
  | Exclude<UpstreamAnswer, { kind: "answered" }>;

export type ExchangeOptions = {
  /** Limit for connecting, headers, body and redirects together. */
  timeoutMs: number;
  limitBytes: number;
  /** Whether a redirect may be followed; otherwise the answer is `redirected`. */
  mayFollow: (from: URL, to: URL) => boolean;
  lookup?: LookupFunction;
  closing?: AbortSignal;
  /** Refuses compressed answers. Then the bytes of a body tell how much work it was. */
  uncompressed?: boolean;
};

/** Called with the size of each part of a body when it arrives. */
export type OnReceived = (bytes: number) => void;

export type Exchange = ReturnType<typeof createExchange>;

/** The HTTP client for all outbound calls, with keep-alive connections per origin and hard limits. */
export function createExchange(options: ExchangeOptions) {
  const { timeoutMs, limitBytes, lookup, closing, uncompressed = false } = options;
  // Limits the received bytes and each stage of decompression, because a bomb's final output can be small.
  const connect = { timeout: timeoutMs, ...(lookup && { lookup }) };
  const agent = new Agent({ connect, maxResponseSize: limitBytes });
  const decompress = interceptors.decompress({ skipErrorResponses: false, maxSize: limitBytes });
  const client = uncompressed ? agent : agent.compose(decompress);
  const encodings = uncompressed ? "identity" : "gzip, br";

  return {
    /** Sends one request. Never throws for an upstream failure. */
    async send(request: UpstreamRequest, onReceived: OnReceived = () => undefined): Promise<ExchangeAnswer> {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = closing ? AbortSignal.any([timeout, closing]) : timeout;
      try {
        const headers = { "accept-encoding": encodings, ...request.headers };
        return await follow(client, { ...request, headers }, { ...options, signal, onReceived });
      } catch (error) {
        if (error instanceof BodyTooLarge || error instanceof errors.ResponseExceededMaxSizeError)
          return { kind: "too_large", limitBytes };
        if (timeout.aborted || TIMEOUT.test(codeOf(error) ?? "")) return { kind: "timed_out", timeoutMs };
        return { kind: "network_error", cause: error instanceof Error ? error : new Error(String(error)) };
      }
    },
    /** Waits for requests in flight, then closes the connections. */
    close: (): Promise<void> => agent.close(),
  };
}

/** The body is encoded in a way that the request did not accept. */
export class UnacceptedEncodingError extends Error {
  override name = "UnacceptedEncodingError";
}

class BodyTooLarge extends Error {
  override name = "BodyTooLarge";
}

async function follow(
  client: Dispatcher,
  request: UpstreamRequest,
  { signal, onReceived, limitBytes, mayFollow }: ExchangeOptions & { signal: AbortSignal; onReceived: OnReceived },
): Promise<ExchangeAnswer> {
  let url = new URL(request.url);
  let method = request.method ?? "GET";
  let body = request.body;

  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await client.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: headersOf(request.headers),
      body: body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const to = redirectTarget(response, url);
    if (to === null) {
      const bytes =
        method === "HEAD" ? await skipBody(response, signal) : await readBody(response, limitBytes, onReceived);
      return { kind: "answered", status: response.statusCode, headers: flatHeaders(response.headers), bytes, url };
    }
    await skipBody(response, signal);
    if (!mayFollow(url, to)) return { kind: "redirected", to: to.href };
    if (method === "POST" && response.statusCode < 307) {
      method = "GET";
      body = undefined;
    }
    url = to;
  }
  const cause = new Error(`More than ${MAX_REDIRECTS} redirects, the last one to ${url.href}`);
  return { kind: "network_error", cause };
}

function headersOf(given: Record<string, string> = {}): Record<string, string> {
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  return { "user-agent": USER_AGENT, ...named };
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name.toLowerCase(), [value].flat().join(", ")]));
}

/** The target of a redirect; null for any other answer, and for a redirect without a valid address. */
function redirectTarget(response: Dispatcher.ResponseData, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return null;
  const { location } = response.headers;
  const text = Array.isArray(location) ? location[0] : location;
  return text !== undefined && URL.canParse(text, from.href) ? new URL(text, from) : null;
}

async function skipBody(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<Buffer> {
  await response.body.dump({ limit: REDIRECT_BODY_BYTES, signal });
  return Buffer.alloc(0);
}

/** Reads the decompressed body. A compressed one has no announced length. */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  limitBytes: number,
  onReceived: OnReceived,
): Promise<Buffer> {
  const encoding = String(headers["content-encoding"] ?? "").toLowerCase();
  const parts: AsyncIterable<Buffer> = body;
  const announced = Number(headers["content-length"] ?? Number.NaN);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    if (announced > limitBytes) throw new BodyTooLarge(`${announced} bytes announced`);
    for await (const chunk of parts) {
      onReceived(chunk.length);
      size += chunk.length;
      if (size > limitBytes) throw new BodyTooLarge(`More than ${limitBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    body.destroy();
  }
  if (size > 0 && encoding !== "" && encoding !== "identity")
    throw new UnacceptedEncodingError(`The answer is encoded as "${encoding}", which the request did not accept`);
  return Buffer.concat(chunks, size);
}

const TIMEOUT = /^(?:UND_ERR_\w+_TIMEOUT|ETIMEDOUT)$/;
