import { expect, test } from "vitest";
import { openDatabase, openPool } from "./connection.ts";
import { copyAccounts } from "../go-live.ts";
import { createTestDatabase } from "./testing/test-database.ts";

test("copies two-step sign-in with the secret that encrypts it", async () => {
  const databases = [await createTestDatabase(), await createTestDatabase()] as const;
  const [from, to] = databases.map(({ settings }) =>
    openDatabase(
      openPool(settings, (error) => {
        throw error;
      }),
    ),
  );
  if (!from || !to) return expect.unreachable();
  try {
    const factor = { id: "1", user_id: "ana", secret: "sealed", backup_codes: "sealed", verified: true };
    const profile = { id: "ana", email: "ana@shop.example", full_name: "Ana", two_factor_enabled: true };
    await from.insertInto("user_profiles").values(profile).execute();
    await from.insertInto("auth_two_factors").values(factor).execute();
    await from.insertInto("server_settings").values({ name: "auth_secret", value: "key" }).execute();
    await to.insertInto("server_settings").values({ name: "auth_secret", value: "another key" }).execute();

    expect(await copyAccounts(from, to)).toBe(1);
    const users = to.selectFrom("user_profiles").selectAll().where("is_service", "=", false);
    expect(await users.execute()).toMatchObject([profile]);
    expect(await to.selectFrom("auth_two_factors").selectAll().execute()).toMatchObject([factor]);
    expect(await to.selectFrom("server_settings").select("value").where("name", "=", "auth_secret").execute()).toEqual([
      { value: "key" },
    ]);
  } finally {
    await from.destroy();
    await to.destroy();
    for (const database of databases) await database.end();
  }
});
