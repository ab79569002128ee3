import type { Database } from "./connection.ts";

/** Stores a value unless there is one, in one statement, so that nodes agree. Returns the stored one. */
export async function keepSetting(db: Database, name: string, value: string): Promise<string> {
  const kept = await db
    .insertInto("server_settings")
    .values({ name, value })
    // Returns the stored value on a conflict.
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((set) => ({ value: set.ref("server_settings.value") })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return kept.value;
}

export async function findSetting(db: Database, name: string): Promise<string | null> {
  const setting = db.selectFrom("server_settings").select("value").where("name", "=", name);
  return (await setting.executeTakeFirst())?.value ?? null;
}

/** Replaces a stored value. */
export async function changeSetting(db: Database, name: string, value: string): Promise<void> {
  await db.updateTable("server_settings").set({ value }).where("name", "=", name).execute();
}
