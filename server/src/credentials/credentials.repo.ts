import { sql } from "kysely";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Database } from "../database/connection.ts";
import { notify } from "../database/notifications.ts";

export const listSealed = (db: Database) => db.selectFrom("source_credentials").selectAll().execute();

export async function saveSealed(db: Database, source: SourceName, sealed: string, by: string): Promise<void> {
  const row = { sealed, entered_by: by, entered_at: sql<Date>`now()` };
  await db.transaction().execute(async (trx) => {
    const insert = trx.insertInto("source_credentials").values({ source, ...row });
    await insert.onConflict((conflict) => conflict.column("source").doUpdateSet(row)).execute();
    await notify(trx, "credential_changes");
  });
}

export async function deleteSealed(db: Database, source: SourceName): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const deletion = trx.deleteFrom("source_credentials").where("source", "=", source);
    const { numDeletedRows } = await deletion.executeTakeFirst();
    await notify(trx, "credential_changes");
    return numDeletedRows > 0;
  });
}
