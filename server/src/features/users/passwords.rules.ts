import { randomInt } from "node:crypto";
import { MIN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";
import { hashPassword, verifyPassword } from "better-auth/crypto";

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
export function readablePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => READABLE.charAt(randomInt(READABLE.length))).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** Also rejects a password of spaces only, because the login screen treats it as empty. */
export function isTooShort(password: string): boolean {
  return password.length < MIN_PASSWORD_LENGTH || password.trim() === "";
}
