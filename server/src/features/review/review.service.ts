import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import { setReviewed } from "./review.repo.ts";
import { presentRow, type SessionRecord } from "../sessions/sessions.present.ts";
import * as repo from "../sessions/sessions.repo.ts";
import type { Authorized } from "../sessions/sessions.service.ts";

export type ScanReviewedService = ReturnType<typeof createScanReviewedService>;

/** Maximum rows per event and transaction, so that a running session can settle rows in between. */
const ROWS_A_TURN = 2_000;

/** Stores which rows were reviewed. */
export function createScanReviewedService(db: Database) {
  function turn(sessionId: string, rowIds: readonly number[], isReviewed: boolean): Promise<number[]> {
    return db.transaction().execute(async (trx) => {
      const event = await repo.nextEventSeq(trx, sessionId);
      return event ? setReviewed(trx, sessionId, event.eventSeq, rowIds, isReviewed) : [];
    });
  }

  return {
    /**
     * Marks rows of a session as reviewed or as needing review. Returns the first 2,000 rows that changed; followers
     * receive all of them. Skips rows of other sessions.
     */
    async setReviewed(
      session: Authorized<SessionRecord>,
      rowIds: readonly number[],
      isReviewed: boolean,
    ): Promise<ResultRow[]> {
      const inOrder = [...new Set(rowIds)].toSorted((a, b) => a - b);
      const changed: number[] = [];
      for (let at = 0; at < inOrder.length; at += ROWS_A_TURN)
        changed.push(...(await turn(session.id, inOrder.slice(at, at + ROWS_A_TURN), isReviewed)));
      const told = changed.toSorted((a, b) => a - b).slice(0, ROWS_A_TURN);
      return told.length === 0 ? [] : (await repo.listRowsOf(db, session.id, told)).map(presentRow);
    },
  };
}
