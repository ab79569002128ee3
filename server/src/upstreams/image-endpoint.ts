import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { createExchange, type ExchangeAnswer, type OnReceived, UnacceptedEncodingError } from "./http-exchange.ts";
import { isOnListedHost } from "./listed-hosts.ts";

/** The default of `IMAGE_HOSTS`, as recorded in 2025-2026: PSA's CDN, CCG's buckets (CGC), TAG's CDN and bucket. */
export const GRADER_IMAGE_HOSTS: readonly string[] = [
  "d1htnxwo4o0jhw.cloudfront.net",
  "ccg-imaging-cgc-tradingcards-production.s3.amazonaws.com",
  "ccg-imaging-cgc-comics-production.s3.amazonaws.com",
  "ccg-imaging-csg-cards-production.s3.amazonaws.com",
  "d39lwrz0lm7c9r.cloudfront.net",
  "devblock-tag.s3.us-west-2.amazonaws.com",
];

const IMAGE_LIMIT_BYTES = 20_000_000;

/** `message` tells staff why there is no image. `refused`: the host is not listed, and got no request. */
export type ImageAnswer =
  | { kind: "image"; bytes: Buffer; contentType: string }
  | {
      kind: "refused" | "missing" | "timed_out" | "too_large" | "unavailable" | "not_an_image";
      message: string;
      cause?: unknown;
    };

export type ImageFetcher = ReturnType<typeof createImageFetcher>;

export type ImageFetcherOptions = {
  allowedHosts: readonly string[] | undefined;
  timeoutMs: number;
  maxBytes?: number;
};

/** Fetches images from listed hosts. A grader's host may not resolve to a private address; an administrator's may. */
export function createImageFetcher({ allowedHosts, timeoutMs, maxBytes = IMAGE_LIMIT_BYTES }: ImageFetcherOptions) {
  const hosts = allowedHosts ?? GRADER_IMAGE_HOSTS;
  const closing = new AbortController();
  const exchange = createExchange({
    timeoutMs,
    limitBytes: maxBytes,
    uncompressed: true,
    closing: closing.signal,
    mayFollow: (_from, to) => isOnListedHost(to, hosts),
    lookup: (hostname, options, callback) =>
      GRADER_IMAGE_HOSTS.includes(hostname)
        ? lookupPublic(hostname, options, callback)
        : lookup(hostname, options, callback),
  });
  return {
    async fetchImage(url: string, onReceived?: OnReceived): Promise<ImageAnswer> {
      if (!URL.canParse(url) || !isOnListedHost(new URL(url), hosts)) return notListed(url);
      return readImage(await exchange.send({ url, headers: { accept: "image/*" } }, onReceived));
    },
    /** Aborts fetches in flight, which resolve as `unavailable`, and closes the connections. */
    async close(): Promise<void> {
      closing.abort();
      await exchange.close();
    },
  };
}

export function hasNotAnswered(answer: ImageAnswer): boolean {
  return answer.kind === "timed_out" || (answer.kind === "unavailable" && answer.cause !== undefined);
}

function notListed(url: string): ImageAnswer {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return { kind: "refused", message: `Images are not fetched from ${host || "this address"}` };
}

function readImage(answer: ExchangeAnswer): ImageAnswer {
  switch (answer.kind) {
    case "redirected":
      return notListed(answer.to);
    case "timed_out":
      return { kind: "timed_out", message: `Its host did not respond within ${answer.timeoutMs} ms` };
    case "too_large":
      return { kind: "too_large", message: `It is larger than ${answer.limitBytes / 1_000_000} MB` };
    case "network_error":
      if (answer.cause instanceof UnacceptedEncodingError)
        return { kind: "not_an_image", message: "Its host sent it compressed", cause: answer.cause };
      return { kind: "unavailable", message: "Its host could not be reached", cause: answer.cause };
    case "answered":
      break;
  }
  const { status, headers, bytes } = answer;
  if (NO_SUCH_OBJECT.has(status)) return { kind: "missing", message: `Its host has no such image (${status})` };
  if (status !== 200) return { kind: "unavailable", message: `Its host returned ${status}` };
  const contentType = headers["content-type"] ?? "application/octet-stream";
  if (!IMAGE_TYPE.test(contentType))
    return { kind: "not_an_image", message: "Its host returned something other than an image" };
  return { kind: "image", bytes, contentType };
}

/** S3 buckets return 403 for a missing object if the caller may not list the bucket. */
export const NO_SUCH_OBJECT = new Set([403, 404, 410]);

/** Objects stored without a type are served as octet-stream. */
export const IMAGE_TYPE = /^(?:image\/|(?:application|binary)\/octet-stream)/i;

/** All global unicast addresses of IPv6 that are assigned (RFC 4291 and IANA's registry). */
const ASSIGNED_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Whether an IP address is public: not private, reserved, unassigned, multicast, or IPv4 embedded in IPv6. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(ASSIGNED_IPV6));
}

export class PrivateAddressError extends Error {
  override name = "PrivateAddressError";
}

/** Resolves like the system. Fails with a `PrivateAddressError` if any address of the name is not public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const inside = addresses.find(({ address }) => !isPublicAddress(address));
    if (inside)
      return callback(new PrivateAddressError(`${hostname} resolves to the private address ${inside.address}`), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
