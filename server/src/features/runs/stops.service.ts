import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Database } from "../../database/connection.ts";
import { cancelLookups } from "../../jobs/cancel-lookups.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { takePricesBack } from "../prices/price-requests.service.ts";
import {
  addProcessed,
  changeSession,
  spreadEvent,
  stopSessions,
  type LockedSession,
} from "../sessions/session-changes.service.ts";
import { type SessionRecord } from "../sessions/sessions.present.ts";
import { showSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";
import * as rows from "./rows.repo.ts";

export type StopsService = ReturnType<typeof createStopsService>;
export type StopsParts = { db: Database; jobs: Pick<Jobs, "cancel">; activity: ActivityService };

export function createStopsService({ db, jobs, activity }: StopsParts) {
  async function stopAndLog(viewer: Viewer, which: { userId: string } | { sessionId: string }): Promise<number> {
    const stopped = await db.transaction().execute(async (trx) => {
      const sessions = await stopSessions(trx, which);
      for (const { locked } of sessions) await takeBack(locked);
      return sessions;
    });
    for (const { locked, name } of stopped)
      await activity.log(viewer.id, "scan_stopped", `Stopped processing ${name}`, { sessionId: locked.sessionId });
    return stopped.length;
  }

  /** Cancels a stopped session's unstarted jobs, so that they don't delay other sessions. */
  async function takeBack(locked: LockedSession): Promise<void> {
    await cancelLookups(jobs, locked.trx, await rows.releaseSession(locked));
    await takeOpenPricesBack(locked);
  }

  async function takeOpenPricesBack(locked: LockedSession): Promise<void> {
    const tally = await takePricesBack(jobs, locked.trx, locked.sessionId, locked.eventSeq);
    await spreadEvent(locked);
    await addProcessed(locked, tally);
  }

  return {
    /**
     * Stops one session. The look-up in progress ends; the other rows stay `pending`. If the session is not running,
     * cancels only its open prices, if any.
     */
    async stop(viewer: Viewer, session: Authorized<SessionRecord>): Promise<ScanSession> {
      const stopped = await stopAndLog(viewer, { sessionId: session.id });
      if (stopped === 0 && session.prices_pending + session.prices_waiting > 0)
        await changeSession(db, session.id, takeOpenPricesBack);
      return showSession(db, session.id);
    },

    stopAll: (viewer: Viewer): Promise<number> => stopAndLog(viewer, { userId: viewer.id }),
  };
}
