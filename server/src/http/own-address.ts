import { BlockList, isIP, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Config } from "../config.ts";
import { HttpError } from "./http-error.ts";

/* Without this check, another site could point its name to this machine, and its pages would count as Slabdesk's. */

/** For load balancers, which use a node's internal name. Nothing that they return is private. */
const HEALTH_CHECKS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** A name or an address, possibly with a port. Fastify ignores what follows it. */
const HOST_FORM = /^(?:\[[\da-f:.]+\]|[^:[\]]+)(?::\d+)?$/i;

type AddressSettings = Pick<Config, "PUBLIC_URL" | "HOST">;

/** Refuses requests for host names other than PUBLIC_URL's, HOST, and localhost. IP addresses are always allowed. */
export function refuseUnknownHosts({ PUBLIC_URL, HOST }: AddressSettings) {
  const names = new Set(["localhost", HOST.toLowerCase(), ...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : [])]);
  return async (request: FastifyRequest): Promise<void> => {
    const name = HOST_FORM.test(request.host) ? request.hostname.toLowerCase() : request.host;
    if (names.has(name) || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0 || HEALTH_CHECKS.has(request.url)) return;
    throw new HttpError(
      421,
      "misdirected",
      `This server does not answer to the name ${name.slice(0, 100)}. Set PUBLIC_URL to the address that people open`,
    );
  };
}

/** True if people on other machines can reach this server and its settings don't say that they use https. */
export function isUnencrypted({ PUBLIC_URL, HOST }: AddressSettings): boolean {
  if (PUBLIC_URL === undefined) return !isLoopback(HOST);
  const { protocol, hostname } = new URL(PUBLIC_URL);
  return protocol !== "https:" && !(isLoopback(HOST) && isLoopback(hostname));
}

function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || (ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback");
}

/**
 * Whether a page of this origin is Slabdesk's own: PUBLIC_URL's, or the address of the request itself unless it has
 * PUBLIC_URL's host. Behind a proxy that isn't trusted, the request doesn't show that the page used https.
 */
export function isOwnOrigin(origin: string, { protocol, host, server: { publicOrigin } }: FastifyRequest): boolean {
  const isPublicHost = publicOrigin !== null && new URL(publicOrigin).host === host;
  return origin === publicOrigin || (!isPublicHost && origin === `${protocol}://${host}`);
}

/** Returns a function that checks whether an address is in this list of addresses and networks, like `10.0.0.0/8`. */
export function oneOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  const kindOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    if (bits === undefined) list.addAddress(address, kindOf(address));
    else list.addSubnet(address, Number(bits), kindOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, kindOf(address));
}

/** The least that a provider should assign to a subscriber (RIPE-690). */
const BYTES_OF_A_NETWORK = 7;
/** The most that a provider usually assigns to a subscriber. */
const BYTES_OF_A_SITE = 6;

/** What an address counts toward: IPv4 itself, or the first 56 bits of IPv6. Ignores a port. */
export function networkOf(given: string, bytes = BYTES_OF_A_NETWORK): string {
  const address = given.replace(/^(?:(\d[\d.]+)|\[(.+)\]):\d+$/, "$1$2");
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, bytes)).toString("hex");
}

/** What wrong passwords from an address count toward: IPv4 itself, or the first 48 bits of IPv6. */
export const siteOf = (address: string): string => networkOf(address, BYTES_OF_A_SITE);
