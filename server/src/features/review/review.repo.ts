import { sql } from "kysely";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";

/** Marks rows of a session as reviewed or as needing review. Returns the ids of the rows that changed. */
export async function setReviewed(
  { trx, sessionId, eventSeq }: LockedSession,
  rowIds: readonly number[],
  isReviewed: boolean,
): Promise<number[]> {
  const rows = await trx
    .updateTable("scan_results")
    .set({ reviewed_at: isReviewed ? sql<Date>`now()` : null, event_seq: eventSeq })
    .where("session_id", "=", sessionId)
    .where(sql<boolean>`id = ANY(${rowIds}::bigint[])`)
    .where("reviewed_at", isReviewed ? "is" : "is not", null)
    // A row that has not settled cannot be reviewed.
    .where("status", "in", SETTLED_STATUSES)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}
