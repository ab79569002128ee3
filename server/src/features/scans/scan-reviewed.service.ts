import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import { setReviewed } from "./scan-reviewed.repo.ts";
import { presentRow, type SessionRecord } from "./scans.present.ts";
import * as repo from "./scans.repo.ts";
import type { Authorized } from "./scans.service.ts";

export type ScanReviewedService = ReturnType<typeof createScanReviewedService>;

/** What one event tells of at most; the rows of a run that goes on meanwhile settle in between. */
const ROWS_A_TURN = 2_000;

/** Keeps which rows somebody has looked at and needs to see no more. */
export function createScanReviewedService(db: Database) {
  function turn(sessionId: string, rowIds: readonly number[], isReviewed: boolean): Promise<number[]> {
    return db.transaction().execute(async (trx) => {
      const event = await repo.nextEventSeq(trx, sessionId);
      return event ? setReviewed(trx, sessionId, event.eventSeq, rowIds, isReviewed) : [];
    });
  }

  return {
    /**
     * Says of rows of a session that they need no further look, or takes that back; answers those that changed, of very
     * many the first two thousand. Rows of other sessions are left out. Open tables are told of all.
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
