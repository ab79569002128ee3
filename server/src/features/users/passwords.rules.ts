import { randomInt } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import { CHOSEN_PASSWORD_MESSAGES, MIN_CHOSEN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import type { Config } from "../../config.ts";

export type Passwords = {
  hash: (password: string) => Promise<string>;
  verify: (stored: { hash: string; password: string }) => Promise<boolean>;
};

/** better-auth's scrypt with a random salt. Each guess costs 32 MB of memory and at least 50 ms, on a worker thread. */
export const SLOW_TO_GUESS: Passwords = { hash: hashPassword, verify: verifyPassword };

/** Excludes letters and digits that look alike. Four groups of five characters have 99 bits of entropy. */
const READABLE = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Generates a password that is easy to read aloud and to type. */
export function readablePassword(groups = GROUPS): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => READABLE.charAt(randomInt(READABLE.length))).join("");
  return Array.from({ length: groups }, group).join("-");
}

const RECOVERY_CODES = 10;

/** Generates the codes that each replace one code of the authenticator app. A code has 49 bits of entropy. */
export const recoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, () => readablePassword(2));

/** In lower case, without those that are too short anyway. */
const COMMON = new Set(dictionary["passwords-common"].filter(({ length }) => length >= MIN_CHOSEN_PASSWORD_LENGTH));

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
/** The list of common passwords lacks most of these. Each is doubled, so that a password can start anywhere in it. */
const SEQUENCES = [
  "0123456789",
  "9876543210",
  ALPHABET,
  Array.from(ALPHABET).reverse().join(""),
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
].map((text) => text.repeat(2));
const LONGEST_PATTERN = 3;

/** Returns why a person may not choose this password. Null if they may. */
export function faultOfChosen(password: string, email: string): string | null {
  const chosen = readable(password);
  const characters = Array.from(chosen);
  if (characters.length < MIN_CHOSEN_PASSWORD_LENGTH) return CHOSEN_PASSWORD_MESSAGES.short;
  const own = readable(email);
  if (chosen.includes(own) || lettersAndDigits(chosen) === lettersAndDigits(own)) return CHOSEN_PASSWORD_MESSAGES.email;
  const isCommon = isRepeated(characters) || SEQUENCES.some((sequence) => sequence.includes(chosen));
  return isCommon || COMMON.has(chosen) ? CHOSEN_PASSWORD_MESSAGES.common : null;
}

/** As a person reads it: without invisible characters, and normalized, as the hash does. */
const readable = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .toLowerCase();

const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");

/** Whether it repeats one to three characters, as in "abababab". */
function isRepeated(characters: readonly string[]): boolean {
  const lengths = Array.from({ length: LONGEST_PATTERN }, (_, index) => index + 1);
  return lengths.some((length) => characters.every((character, at) => character === characters[at % length]));
}

const ONE_TIME_GOOD_FOR_MS = 7 * 24 * 60 * 60 * 1000;

export const oneTimeUntil = (now: Date): Date => new Date(now.getTime() + ONE_TIME_GOOD_FOR_MS);

type PasswordSettings = Pick<Config, "ADMIN_EMAIL" | "ADMIN_PASSWORD" | "DEFAULT_USER_PASSWORD" | "BACKEND_PASSWORD">;
const SAFE_BACKEND_LENGTH = 20;

export function weakSettings(settings: PasswordSettings): string[] {
  const { ADMIN_EMAIL, ADMIN_PASSWORD, DEFAULT_USER_PASSWORD, BACKEND_PASSWORD } = settings;
  const warnings: string[] = [];
  if (ADMIN_PASSWORD !== undefined && faultOfChosen(ADMIN_PASSWORD, ADMIN_EMAIL) !== null)
    warnings.push("ADMIN_PASSWORD is easy to guess. If the first administrator still has it, change it in the account");
  if ((DEFAULT_USER_PASSWORD?.length ?? Infinity) < MIN_CHOSEN_PASSWORD_LENGTH)
    warnings.push(`DEFAULT_USER_PASSWORD is short. Use at least ${MIN_CHOSEN_PASSWORD_LENGTH} characters`);
  if ((BACKEND_PASSWORD?.length ?? Infinity) < SAFE_BACKEND_LENGTH)
    warnings.push(`BACKEND_PASSWORD is short. Use at least ${SAFE_BACKEND_LENGTH} characters`);
  return warnings;
}
