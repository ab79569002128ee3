import { sql } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { firstOf, valuesOf } from "../../database/statements.ts";
import type { SessionRecord } from "./sessions.present.ts";
import { SCAN_CHANNEL } from "./session-changes.repo.ts";

type DoomedSession = Pick<SessionRecord, "session_name" | "user_id" | "total_cards" | "processed_cards"> & {
  owner_email: string;
};

/**
 * Locks a session for deletion. Waits for transactions that change its rows or counters; later ones find no session.
 * Returns null if the session does not exist.
 */
export function takeSession(trx: DatabaseTransaction, sessionId: string): Promise<DoomedSession | null> {
  return firstOf<DoomedSession>(trx)`
    SELECT s.session_name, s.user_id, s.total_cards, s.processed_cards, owner.email AS owner_email
    FROM scan_sessions AS s JOIN user_profiles AS owner ON owner.id = s.user_id
    WHERE s.id = ${sessionId} FOR UPDATE OF s`;
}

export function listOwnPhotos(trx: DatabaseTransaction, sessionId: string): Promise<string[]> {
  return valuesOf<string>(trx)`
    SELECT ${OWN_PHOTO_PATH} || photos.id AS url FROM photos JOIN scan_results AS r ON r.id = photos.result_id
    WHERE r.session_id = ${sessionId}`;
}

/** Deletes a locked session with all that belongs to it, and notifies followers. Returns the number of rows deleted. */
export async function deleteSession(trx: DatabaseTransaction, sessionId: string): Promise<number> {
  const rows = trx.deleteFrom("scan_results").where("session_id", "=", sessionId);
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  // Delete the counters after the rows: the row triggers write to them.
  await trx.deleteFrom("scan_counters").where("session_id", "=", sessionId).execute();
  await trx.deleteFrom("scan_sessions").where("id", "=", sessionId).execute();
  await sql`SELECT pg_notify(${SCAN_CHANNEL}, ${sessionId})`.execute(trx);
  return Number(numDeletedRows);
}
