import { expect, test } from "vitest";
import { openDatabase, openPool } from "../../database/connection.ts";
import { createTestDatabase } from "../../database/testing/test-database.ts";
import { createFirstAdmin } from "./users.service.ts";

const hashPassword = async (password: string) => `hashed ${password}`;
const fail = (error: Error) => {
  throw error;
};

test("is created once, however many nodes start at once, with a readable password", async () => {
  const database = await createTestDatabase();
  const nodes = Array.from({ length: 4 }, () => openDatabase(openPool(database.settings, fail, 2)));
  try {
    const config = { ADMIN_EMAIL: "Boss@Example.com", ADMIN_PASSWORD: undefined };
    const made = await Promise.all(nodes.map((db) => createFirstAdmin(db, config, hashPassword)));
    const [admin, ...others] = made.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(admin).toMatchObject({ email: "boss@example.com", isGenerated: true });
    expect(admin?.password).toMatch(/^(?:[a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/);

    const [db] = nodes;
    const users = await db?.selectFrom("user_profiles").selectAll().where("is_service", "=", false).execute();
    expect(users).toMatchObject([{ email: "boss@example.com", role: "admin", is_active: true }]);
    const accounts = await db?.selectFrom("auth_accounts").select("password").execute();
    expect(accounts).toEqual([{ password: `hashed ${admin?.password}` }]);
  } finally {
    await Promise.all(nodes.map((db) => db.destroy()));
    await database.end();
  }
});
