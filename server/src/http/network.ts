import ipaddr from "ipaddr.js";

const BYTES_OF_A_NETWORK = 8;

/**
 * Whom an address stands for when somebody has to be slowed down: an IPv4 address itself, also one that is written as
 * IPv6, and of IPv6 the first 64 bits, as a single subscriber has all addresses behind them.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, BYTES_OF_A_NETWORK)).toString("hex");
}
