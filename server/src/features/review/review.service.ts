import type { Database } from "../../database/connection.ts";
import { changeRowsInTurns } from "../sessions/session-changes.service.ts";
import type { SessionRow } from "../sessions/sessions.present.ts";
import type { Authorized, Viewer } from "../sessions/sessions.service.ts";
import { setReviewed } from "./review.repo.ts";

type Marks = { rowIds: readonly string[]; isReviewed: boolean };

/**
 * Marks rows as reviewed or as needing review. Returns the first 2,000 rows that changed; followers receive all of them.
 * Skips rows of other sessions.
 */
export function markReviewed(
  db: Database,
  viewer: Viewer,
  { id }: Authorized<SessionRow>,
  { rowIds, isReviewed }: Marks,
) {
  return changeRowsInTurns(db, { personId: viewer.id, sessionId: id }, rowIds.map(Number), (locked, some) =>
    setReviewed(locked, some, isReviewed),
  );
}
