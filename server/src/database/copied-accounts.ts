import type { Database } from "./connection.ts";

/**
 * Copies users, their roles, their password hashes, and their second steps into a database without users. Counts of
 * scans and signed-in devices stay behind. Returns how many accounts were copied.
 */
export async function copyAccounts(from: Database, to: Database): Promise<number> {
  const profiles = await from.selectFrom("user_profiles").selectAll().where("is_service", "=", false).execute();
  const accounts = await from.selectFrom("auth_accounts").selectAll().execute();
  const twoFactors = await from.selectFrom("auth_two_factors").selectAll().execute();
  const secrets = await from.selectFrom("server_settings").selectAll().where("name", "=", "auth_secret").execute();
  return to.transaction().execute(async (transaction) => {
    const users = transaction.selectFrom("user_profiles").select("id").where("is_service", "=", false);
    const present = await users.limit(1).execute();
    if (present.length > 0 || profiles.length === 0) return 0;
    const unused = { total_scans: 0, total_cards_processed: 0 };
    await transaction
      .insertInto("user_profiles")
      .values(profiles.map((profile) => ({ ...profile, ...unused })))
      .execute();
    if (accounts.length > 0) await transaction.insertInto("auth_accounts").values(accounts).execute();
    if (twoFactors.length > 0) await transaction.insertInto("auth_two_factors").values(twoFactors).execute();
    // The secret that encrypts them.
    for (const secret of secrets)
      await transaction
        .insertInto("server_settings")
        .values(secret)
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: secret.value }))
        .execute();
    return profiles.length;
  });
}
