import type { Config } from "../../config.ts";
import type { Database } from "../../database/connection.ts";
import { readablePassword } from "./passwords.ts";
import * as repo from "./users.repo.ts";

/** `isGenerated`: the password was generated, because ADMIN_PASSWORD isn't set. */
export type FirstAdmin = { email: string; password: string; isGenerated: boolean };

type FirstAdminParts = {
  db: Database;
  config: Pick<Config, "ADMIN_EMAIL" | "ADMIN_PASSWORD">;
  hashPassword: (password: string) => Promise<string>;
};

/**
 * Creates the first administrator if there are no users; returns null otherwise. Safe if several nodes start at once.
 * The caller must show the password, because it isn't stored in plain text.
 */
export async function createFirstAdmin({ db, config, hashPassword }: FirstAdminParts): Promise<FirstAdmin | null> {
  if (await repo.hasUsers(db)) return null;
  const admin = {
    email: config.ADMIN_EMAIL.toLowerCase(),
    password: config.ADMIN_PASSWORD ?? readablePassword(),
    isGenerated: config.ADMIN_PASSWORD === undefined,
  };
  const passwordHash = await hashPassword(admin.password);
  return db.transaction().execute(async (trx) => {
    await repo.lockFirstAdmin(trx);
    if (await repo.hasUsers(trx)) return null;
    await repo.insertUser(trx, { email: admin.email, fullName: "Administrator", role: "admin", passwordHash });
    return admin;
  });
}
