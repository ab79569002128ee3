import { sql } from "kysely";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";

/** The NOTIFY channel for changes of the credentials. The payload is empty. */
export const CREDENTIAL_CHANGES = "credential_changes";

export const listSealed = (db: Database) => db.selectFrom("source_credentials").selectAll().execute();

export async function saveSealed(db: Database, source: SourceName, sealed: string, by: string): Promise<void> {
  const row = { sealed, entered_by: by, entered_at: sql<Date>`now()` };
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("source_credentials")
      .values({ source, ...row })
      .onConflict((conflict) => conflict.column("source").doUpdateSet(row))
      .execute();
    await notify(trx);
  });
}

export async function deleteSealed(db: Database, source: SourceName): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom("source_credentials")
      .where("source", "=", source)
      .executeTakeFirst();
    await notify(trx);
    return numDeletedRows > 0;
  });
}

async function notify(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_notify(${CREDENTIAL_CHANGES}, '')`.execute(trx);
}
