import { randomBytes, scrypt } from "node:crypto";
import type { Passwords } from "../features/users/passwords.ts";

const LENGTH = 64;
/** scrypt's lowest cost. */
const COST = { N: 2, r: 1, p: 1 };

/**
 * Stores passwords like the product, salted and in a thread, but with a low cost, because tests check hundreds.
 * `passwords.test.ts` and `main.test.ts` cover the product's own cost.
 */
export const QUICK_PASSWORDS: Passwords = {
  async hash(password) {
    const salt = randomBytes(16).toString("hex");
    return `${salt}:${await derive(password, salt)}`;
  },
  async verify({ hash, password }) {
    const [salt = "", key] = hash.split(":");
    return (await derive(password, salt)) === key;
  },
};

function derive(password: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, COST, (error, key) => (error ? reject(error) : resolve(key.toString("hex"))));
  });
}
