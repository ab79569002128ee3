import { sql, type Kysely } from "kysely";

/** Sign-in state shared by all nodes: the secret that signs sessions and recent wrong passwords. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE server_settings (name text PRIMARY KEY, value text NOT NULL)`.execute(db);
  await sql`
    CREATE TABLE wrong_passwords (
      key varchar(255) PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    )`.execute(db);
}
