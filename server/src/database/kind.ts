import type { Database } from "./connection.ts";

/** Whether the database holds the simulator's made-up cards or cards of the real companies (docs/decisions/0065). */
export type DatabaseKind = "demo" | "live";

const NAME = "upstreams";

/** Records the kind if none is recorded, in one statement, so that nodes that start at once agree. Returns the record. */
export async function recordKind(db: Database, kind: DatabaseKind): Promise<DatabaseKind> {
  const { value } = await db
    .insertInto("server_settings")
    .values({ name: NAME, value: kind })
    // Returns the stored value on a conflict.
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((set) => ({ value: set.ref("server_settings.value") })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return value === "demo" ? "demo" : "live";
}

/** Returns null if no server has started on the database yet. */
export async function readKind(db: Database): Promise<DatabaseKind | null> {
  const record = await db.selectFrom("server_settings").select("value").where("name", "=", NAME).executeTakeFirst();
  if (!record) return null;
  return record.value === "demo" ? "demo" : "live";
}
