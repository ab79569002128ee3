import { repeat } from "../../concurrency/repeat.ts";
import { isDone } from "../../database/connection.ts";
import { changeSession, SOON, type LockedSession } from "../sessions/session-changes.service.ts";
import { listDueBacklogs, listSessionsThatNeedJobs } from "./backlogs.repo.ts";
import { enqueuePortion, type RunContext } from "./row-transactions.service.ts";

/*
 * A run gets jobs for its first cards when it starts, and more jobs whenever half of the latest ones have started. This
 * way, storing, stopping, or resuming 100,000 rows doesn't take 100,000 jobs.
 */

/** Gives running sessions their next jobs until the lanes close. Resolves when the last check ends. */
export function enqueueBacklogs(context: RunContext): Promise<void> {
  const { db, report, intervals, upstreams } = context;
  const enqueue = async (): Promise<void> => {
    // If another transaction holds the session, the next check tries again.
    for (const sessionId of await listSessionsThatNeedJobs(db)) await isDone(enqueueBacklogsOf(context, sessionId));
  };
  const failure = "Failed to create jobs; the next check tries again";
  return repeat(enqueue, { everyMs: intervals.backlogsMs, failure, report, closing: upstreams.lanes.closing });
}

async function enqueueBacklogsOf(context: RunContext, sessionId: string): Promise<void> {
  const enqueueDue = async (locked: LockedSession): Promise<void> => {
    for (const backlog of await listDueBacklogs(locked)) await enqueuePortion(context, locked, backlog);
  };
  await changeSession(context.db, sessionId, enqueueDue, SOON);
}
