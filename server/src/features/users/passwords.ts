import { randomInt } from "node:crypto";
import { MIN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";
import { hashPassword, verifyPassword } from "better-auth/crypto";

/** How passwords are kept: what is stored of one, and whether one that is typed is the same. */
export type Passwords = {
  hash: (password: string) => Promise<string>;
  verify: (stored: { hash: string; password: string }) => Promise<boolean>;
};

/** better-auth's own: scrypt with a salt for each, 32 MB of memory and 50 ms or more a guess, in a thread of its own. */
export const SLOW_TO_GUESS: Passwords = { hash: hashPassword, verify: verifyPassword };

/** No letters or digits that look alike; four groups of five make 99 bits. */
const READABLE = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password that can be read out and typed off a screen. */
export function readablePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => READABLE.charAt(randomInt(READABLE.length))).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** Blanks alone do not count: the login screen takes them for nothing. */
export function isTooShort(password: string): boolean {
  return password.length < MIN_PASSWORD_LENGTH || password.trim() === "";
}
