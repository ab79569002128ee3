import { randomBytes, scrypt } from "node:crypto";
import type { ServerParts } from "../context.ts";

const LENGTH = 64;
/** scrypt's smallest cost. */
const COST = { N: 2, r: 1, p: 1 };

/**
 * As the product keeps passwords, salted and in a thread, but quick to guess: hundreds are looked at in tests, which
 * are about what comes of it. The product's own cost is told by `passwords.test.ts` and `main.test.ts`.
 */
export const QUICK_PASSWORDS: ServerParts["passwords"] = {
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
