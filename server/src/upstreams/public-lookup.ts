import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Whether an IP address is public: not private, reserved, multicast, or an IPv4 address embedded in IPv6. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "unicast";
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
