import type { Config } from "../../config.ts";
import type { Database } from "../../database/connection.ts";
import { readablePassword } from "./passwords.ts";
import * as repo from "./users.repo.ts";

/** `isGenerated`: nobody has set the password, so nobody knows it yet. */
export type FirstAdmin = { email: string; password: string; isGenerated: boolean };

type FirstAdminParts = {
  db: Database;
  config: Pick<Config, "ADMIN_EMAIL" | "ADMIN_PASSWORD">;
  hashPassword: (password: string) => Promise<string>;
};

/**
 * Makes the first administrator when there is no user at all; any number of nodes may start at once. Null when there
 * are users. The password is nowhere else in plain text: whoever calls this shows it.
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
