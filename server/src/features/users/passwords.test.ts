import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { CHOSEN_PASSWORD_MESSAGES } from "@slabdesk/contract/api/people.ts";
import { faultOfChosen, SLOW_TO_GUESS, weakSettings } from "./passwords.rules.ts";

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

const { short, common, email } = CHOSEN_PASSWORD_MESSAGES;

test.each([
  ["123456", short],
  ["ninechars", short],
  ["   nine    ", short],
  ["1234567890", common],
  ["QwertyUiop", common],
  ["Qwertzuiop", common],
  ["1111111111", common],
  ["0987654321", common],
  ["BCDEFGHIJK", common],
  ["１２３４５６７８９０", common],
  ["zyxwvutsrq", common],
  ["ababababab", common],
  ["abcabcabcab", common],
  ["1234567890\0", common],
  ["nine\u200bchars", short],
  ["𝟏𝟐𝟑𝟒𝟓", short],
  ["Jane@Shop.example", email],
  ["ｊａｎｅ@shop.example", email],
  ["jane@shop.example\u200b", email],
  ["jane@shop.example1", email],
  ["JaneShopExample", email],
  ["correct horse battery", null],
  ["abababababc", null],
])("judges the chosen password %j", (password, fault) => {
  expect(faultOfChosen(password, "jane@shop.example")).toBe(fault);
});

test("warns about passwords in the settings that are easy to guess, without repeating them", () => {
  const settings = { ADMIN_EMAIL: "admin@shop.example", ADMIN_PASSWORD: undefined };
  expect(weakSettings({ ...settings, DEFAULT_USER_PASSWORD: undefined, BACKEND_PASSWORD: undefined })).toEqual([]);
  const long = { DEFAULT_USER_PASSWORD: "ten-chars-", BACKEND_PASSWORD: "twenty-characters-xx" };
  expect(weakSettings({ ...settings, ...long, ADMIN_PASSWORD: "correct horse" })).toEqual([]);
  const weak = {
    ADMIN_PASSWORD: "1234567890",
    DEFAULT_USER_PASSWORD: "nine-char",
    BACKEND_PASSWORD: "nineteen-characters",
  };
  const warnings = weakSettings({ ...settings, ...weak });
  expect(warnings.map((warning) => warning.split(" ")[0])).toEqual(Object.keys(weak));
  for (const password of Object.values(weak)) expect(warnings.join()).not.toContain(password);
});
