import { sql, type Transaction } from "kysely";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { Schema } from "../../database/schema.ts";

/** Notes which of a session's rows need no further look, or that they do again; answers those that changed. */
export async function setReviewed(
  trx: Transaction<Schema>,
  sessionId: string,
  eventSeq: number,
  rowIds: readonly number[],
  isReviewed: boolean,
): Promise<number[]> {
  const rows = await trx
    .updateTable("scan_results")
    .set({ reviewed_at: isReviewed ? sql<Date>`now()` : null, event_seq: eventSeq })
    .where("session_id", "=", sessionId)
    .where(sql<boolean>`id = ANY(${rowIds}::bigint[])`)
    .where("reviewed_at", isReviewed ? "is" : "is not", null)
    // What is still on its way cannot have been looked at.
    .where("status", "in", SETTLED_STATUSES)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}
