import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase, openPool } from "../connection.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

function open({ settings }: TestDatabase) {
  return openDatabase(
    openPool(settings, (error) => {
      throw error;
    }),
  );
}

async function tablesOf(db: ReturnType<typeof open>): Promise<string[]> {
  return (await db.introspection.getTables()).map((table) => table.name);
}

test("every clone has the migrated tables and its own rows", async () => {
  const one = await createTestDatabase();
  const two = await createTestDatabase();
  const [inOne, inTwo] = [open(one), open(two)];
  try {
    expect(await tablesOf(inOne)).toContain("scan_results");
    await sql`CREATE TABLE only_here (id integer)`.execute(inOne);
    expect(await tablesOf(inTwo)).not.toContain("only_here");
  } finally {
    await inOne.destroy();
    await inTwo.destroy();
  }
  await one.end();
  await two.end();
});

test("a database can't be ended while a connection is open", async () => {
  const database = await createTestDatabase();
  const db = open(database);
  await sql`SELECT 1`.execute(db);
  await expect(database.end()).rejects.toMatchObject({ code: "55006" });
  await db.destroy();
  await database.end();
});
