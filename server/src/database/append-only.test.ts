import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await ask(
    "application",
    `INSERT INTO user_profiles (id, email, full_name) VALUES ('ana', 'ana@example.com', 'Ana');
     INSERT INTO user_activity_logs (user_id, activity_type, description) VALUES ('ana', 'login', 'Signed in')`,
  );
});
afterAll(() => database.end());

async function ask(who: "application" | "superuser", statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(who === "superuser" ? database.superuserSettings : database.settings);
  await client.connect();
  try {
    const { rows }: { rows: Record<string, unknown>[] } = await client.query(statement);
    return rows;
  } finally {
    await client.end();
  }
}

const CHANGES = [
  "UPDATE user_activity_logs SET description = 'Nothing'",
  "DELETE FROM user_activity_logs",
  "DELETE FROM user_activity_logs WHERE false",
  "TRUNCATE user_activity_logs",
  "TRUNCATE user_profiles CASCADE",
];

describe("the activity log", () => {
  test("lets the application's role, which owns the table, only read and insert", async () => {
    const [rights] = await ask(
      "application",
      `SELECT current_user AS name,
         (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
         (SELECT tableowner FROM pg_tables WHERE tablename = 'user_activity_logs') AS owner,
         array(
           SELECT privilege FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) AS privilege
           WHERE has_table_privilege('user_activity_logs', privilege)
         ) AS has`,
    );
    const name = inject("postgres").user;
    expect(rights).toEqual({ name, isSuperuser: false, owner: name, has: ["SELECT", "INSERT"] });
  });

  test.each(CHANGES)("refuses the application: %s", async (statement) => {
    await expect(ask("application", statement)).rejects.toMatchObject({
      code: "42501",
      message: "permission denied for table user_activity_logs",
    });
  });

  test.each(CHANGES)("refuses a superuser too: %s", async (statement) => {
    const refusal = { code: "42501", message: expect.stringContaining("The activity log only grows") as string };
    await expect(ask("superuser", statement)).rejects.toMatchObject(refusal);
    await expect(ask("superuser", `SET session_replication_role = replica; ${statement}`)).rejects.toMatchObject(
      refusal,
    );
  });

  test("survives the deletion of a person", async () => {
    for (const who of ["application", "superuser"] as const) {
      await expect(ask(who, "DELETE FROM user_profiles")).rejects.toBeInstanceOf(pg.DatabaseError);
    }
    expect(await ask("application", "SELECT description FROM user_activity_logs")).toEqual([
      { description: "Signed in" },
    ]);
  });

  test("allows a person to be renamed", async () => {
    await ask("application", "UPDATE user_profiles SET full_name = 'Ana Ruiz' WHERE NOT is_service");
    expect(await ask("application", "SELECT full_name FROM user_profiles WHERE NOT is_service")).toEqual([
      { full_name: "Ana Ruiz" },
    ]);
  });
});
