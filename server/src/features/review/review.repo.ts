import { sql } from "kysely";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";

/** Marks rows of a session as reviewed or as needing review. Returns the ids of the rows that changed. */
export async function setReviewed(
  { trx, sessionId, eventSeq }: LockedSession,
  rowIds: readonly number[],
  isReviewed: boolean,
): Promise<number[]> {
  // A row that has not settled cannot be reviewed.
  const { rows } = await sql<{ id: number }>`
    UPDATE scan_results SET reviewed_at = ${isReviewed ? sql`now()` : null}, event_seq = ${eventSeq}
    WHERE session_id = ${sessionId} AND id = ANY(${rowIds}::bigint[]) AND (reviewed_at IS NULL) = ${isReviewed}
      AND status = ANY(${SETTLED_STATUSES}::text[])
    RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
}
