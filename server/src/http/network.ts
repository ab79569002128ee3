import ipaddr from "ipaddr.js";

const BYTES_OF_A_NETWORK = 8;

/**
 * The network that an address counts toward in rate limits: an IPv4 address itself (also in IPv6 notation), or the
 * first 64 bits of an IPv6 address, because one subscriber owns all addresses in that prefix.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, BYTES_OF_A_NETWORK)).toString("hex");
}
