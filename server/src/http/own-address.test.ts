import { expect, test } from "vitest";
import { isUnencrypted } from "./own-address.ts";

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
