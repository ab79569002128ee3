import ipaddr from "ipaddr.js";

const BYTES_OF_A_NETWORK = 8;

/** What an address counts toward: IPv4 itself, or the first 64 bits of IPv6, which one subscriber owns. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, BYTES_OF_A_NETWORK)).toString("hex");
}
