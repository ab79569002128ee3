import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import { setReviewed } from "./review.repo.ts";
import type { SessionRow } from "../sessions/sessions.present.ts";
import { changeRowsInTurns } from "../sessions/session-changes.service.ts";
import type { Authorized } from "../sessions/sessions.service.ts";

export type ReviewService = ReturnType<typeof createReviewService>;

/** Stores which rows were reviewed. */
export function createReviewService(db: Database) {
  return {
    /**
     * Marks rows of a session as reviewed or as needing review. Returns the first 2,000 rows that changed; followers
     * receive all of them. Skips rows of other sessions.
     */
    setReviewed(session: Authorized<SessionRow>, rowIds: readonly number[], isReviewed: boolean): Promise<ResultRow[]> {
      return changeRowsInTurns(db, session.id, rowIds, (locked, some) => setReviewed(locked, some, isReviewed));
    },
  };
}
