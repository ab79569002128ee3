import { sql } from "kysely";
import { expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";

test("a sign-in succeeds although its time cannot be stored, and logs the failure", async () => {
  const server = await startTestServer();
  try {
    await sql`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`.execute(
      server.db,
    );
    await sql`
      CREATE TRIGGER refuse BEFORE UPDATE OF last_login ON user_profiles FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(
      server.db,
    );
    const { email } = await server.signIn(server.admin);
    expect(email).toBe(server.admin.email);
    expect(server.errors.join("")).toContain("Failed to store the time of the last login");
  } finally {
    await server.close();
  }
});
