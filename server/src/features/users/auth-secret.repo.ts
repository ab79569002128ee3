import { randomBytes } from "node:crypto";
import type { Database } from "../../database/connection.ts";

/** Returns the secret that signs auth sessions. Generated once and stored in the database, so all nodes share it. */
export async function getAuthSecret(db: Database): Promise<string> {
  const { value } = await db
    .insertInto("server_settings")
    .values({ name: "auth_secret", value: randomBytes(32).toString("base64url") })
    // Returns the stored value on a conflict.
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((set) => ({ value: set.ref("server_settings.value") })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}
