import { expect, test } from "vitest";
import { isUnencrypted, networkOf, siteOf } from "./own-address.ts";

test.each<[isUnencrypted: boolean, HOST: string, PUBLIC_URL?: string]>([
  [false, "127.0.0.1"],
  [false, "localhost"],
  [false, "::1"],
  [false, "0.0.0.0", "https://cards.example.com"],
  [false, "127.0.0.1", "http://localhost:4600"],
  [true, "0.0.0.0"],
  [true, "192.168.1.5"],
  [true, "desk.local"],
  [true, "0.0.0.0", "http://localhost"],
  [true, "127.0.0.1", "http://cards.example.com"],
])("other machines reach the server without https: %s for HOST %s and PUBLIC_URL %s", (expected, HOST, PUBLIC_URL) => {
  expect(isUnencrypted({ HOST, PUBLIC_URL })).toBe(expected);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:5123", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "20010db8000100"],
  ["2001:db8:1:ff::1", "20010db8000100"],
  ["2001:db8:1:100::1", "20010db8000101"],
  ["[2001:db8:1:2::9]:5123", "20010db8000100"],
  ["user 7", "user 7"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:ffff::1", "20010db80001"],
  ["2001:db8:2::1", "20010db80002"],
])("wrong passwords from %s count toward %s", (address, site) => {
  expect(siteOf(address)).toBe(site);
});
