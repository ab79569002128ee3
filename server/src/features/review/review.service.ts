import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Context } from "../../context.ts";
import { changeRowsInTurns } from "../sessions/session-changes.service.ts";
import type { SessionRow } from "../sessions/sessions.present.ts";
import type { Authorized } from "../sessions/sessions.service.ts";
import { setReviewed } from "./review.repo.ts";

/**
 * Marks rows of a session as reviewed or as needing review. Returns the first 2,000 rows that changed; followers receive
 * all of them. Skips rows of other sessions.
 */
export function markReviewed(
  { db }: Context,
  session: Authorized<SessionRow>,
  rowIds: readonly number[],
  isReviewed: boolean,
): Promise<ResultRow[]> {
  return changeRowsInTurns(db, session.id, rowIds, (locked, some) => setReviewed(locked, some, isReviewed));
}
