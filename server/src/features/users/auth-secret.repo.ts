import { randomBytes } from "node:crypto";
import type { Database } from "../../database/connection.ts";

const NAME = "auth_secret";

/** Returns the secret that signs auth sessions. Generated once and stored in the database, so all nodes share it. */
export async function getAuthSecret(db: Database): Promise<string> {
  const made = randomBytes(32).toString("base64url");
  await db
    .insertInto("server_settings")
    .values({ name: NAME, value: made })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom("server_settings")
    .select("value")
    .where("name", "=", NAME)
    .executeTakeFirstOrThrow();
  return value;
}
