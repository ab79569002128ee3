import { hashPassword, verifyPassword } from "better-auth/crypto";

/** How passwords are kept: what is stored of one, and whether one that is typed is the same. */
export type Passwords = {
  hash: (password: string) => Promise<string>;
  verify: (stored: { hash: string; password: string }) => Promise<boolean>;
};

/** better-auth's own: scrypt with a salt for each, 32 MB of memory and 50 ms or more a guess, in a thread of its own. */
export const SLOW_TO_GUESS: Passwords = { hash: hashPassword, verify: verifyPassword };
