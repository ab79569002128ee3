import { lookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import { BlockList, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";

/** Private, reserved and multicast addresses (RFC 6890 and its updates). */
const NOT_PUBLIC_IPV4 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  NOT_PUBLIC_IPV4.addSubnet(network, prefix, "ipv4");
}
/** Also blocks IPv4 embedded in IPv6 (::ffff:0:0/96, 64:ff9b::/96, 2002::/16): no grader is reached that way. */
const NOT_PUBLIC_IPV6 = new BlockList();
for (const [network, prefix] of [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  NOT_PUBLIC_IPV6.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  return isIPv6(address) ? !NOT_PUBLIC_IPV6.check(address, "ipv6") : !NOT_PUBLIC_IPV4.check(address, "ipv4");
}

/** A host name that should be public resolves to a private address. */
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
    answer(addresses, options.all === true, callback);
  });
};

function answer(addresses: LookupAddress[], all: boolean, callback: Parameters<LookupFunction>[2]): void {
  const [first] = addresses;
  if (all || first === undefined) callback(null, addresses);
  else callback(null, first.address, first.family);
}
