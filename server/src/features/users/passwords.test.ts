import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { SLOW_TO_GUESS } from "./passwords.rules.ts";

test("stores a 32 MB scrypt hash that matches no other password", async () => {
  const password = "correct horse battery";
  const hashes = await Promise.all([SLOW_TO_GUESS.hash(password), SLOW_TO_GUESS.hash(password)]);
  expect(hashes[0]).not.toBe(hashes[1]);
  const [hash] = hashes;
  const [salt = "", key] = hash.split(":");
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  expect(key).toBe(scryptSync(password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }).toString("hex"));
  expect(await SLOW_TO_GUESS.verify({ hash, password })).toBe(true);
  expect(await SLOW_TO_GUESS.verify({ hash, password: `${password}.` })).toBe(false);
});
