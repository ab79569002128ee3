import { sql } from "kysely";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import { valuesOf } from "../../database/statements.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";

/** Marks settled rows as reviewed or as needing review. Returns the ids of the rows that changed. */
export function setReviewed(locked: LockedSession, rowIds: readonly number[], isReviewed: boolean) {
  const { trx, sessionId, eventSeq } = locked;
  return valuesOf<number>(trx)`
    UPDATE scan_results SET reviewed_at = ${isReviewed ? sql`now()` : null}, event_seq = ${eventSeq}
    WHERE session_id = ${sessionId} AND id = ANY(${rowIds}::bigint[]) AND status = ANY(${SETTLED_STATUSES}::text[])
      AND (reviewed_at IS NULL) = ${isReviewed}
    RETURNING id`;
}
