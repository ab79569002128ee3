import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import { setReviewed } from "./review.repo.ts";
import { presentRow, type SessionRow } from "../sessions/sessions.present.ts";
import { changeSession, listRowsOf } from "../sessions/session-changes.service.ts";
import type { Authorized } from "../sessions/sessions.service.ts";

export type ReviewService = ReturnType<typeof createReviewService>;

/** Maximum rows per event and transaction, so that a running session can settle rows in between. */
const ROWS_A_TURN = 2_000;

/** Stores which rows were reviewed. */
export function createReviewService(db: Database) {
  return {
    /**
     * Marks rows of a session as reviewed or as needing review. Returns the first 2,000 rows that changed; followers
     * receive all of them. Skips rows of other sessions.
     */
    async setReviewed(
      session: Authorized<SessionRow>,
      rowIds: readonly number[],
      isReviewed: boolean,
    ): Promise<ResultRow[]> {
      const inOrder = [...new Set(rowIds)].toSorted((a, b) => a - b);
      const changed: number[] = [];
      for (let at = 0; at < inOrder.length; at += ROWS_A_TURN) {
        const some = inOrder.slice(at, at + ROWS_A_TURN);
        const ids = await changeSession(db, session.id, (locked) => setReviewed(locked, some, isReviewed));
        changed.push(...(ids ?? []));
      }
      const listed = changed.toSorted((a, b) => a - b).slice(0, ROWS_A_TURN);
      return listed.length === 0 ? [] : (await listRowsOf(db, session.id, listed)).map(presentRow);
    },
  };
}
