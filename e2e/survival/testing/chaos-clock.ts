import { sql } from "kysely";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { followUntil, type ScanTest } from "../../../server/src/testing/scan-test.ts";
import type { Person } from "../../../server/src/testing/test-server.ts";

const DAY = sql`interval '24 hours'`;

/**
 * Simulates the passing of a day. Pauses last from a minute to 24 hours; the test checks that rows continue when they
 * end. It locks the sessions first, like all code that moves rows, so that the two never deadlock.
 */
async function letADayPass({ db, simulator }: ScanTest): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SELECT id FROM scan_sessions ORDER BY id FOR UPDATE`.execute(trx);
    await sql`
      UPDATE endpoints SET paused_until = paused_until - ${DAY}, window_started_at = window_started_at - ${DAY}`.execute(
      trx,
    );
    await sql`UPDATE scan_results SET waiting_until = waiting_until - ${DAY} WHERE status = 'waiting'`.execute(trx);
  });
  simulator.behavior.renewDay();
}

/**
 * Follows sessions to their end and lets a day pass whenever there is only waiting left. Returns the number of days.
 */
export async function finishOverDays(
  test: ScanTest,
  person: Person,
  sessions: readonly ScanSession[],
): Promise<number> {
  const latest = new Map(sessions.map((session) => [session.id, { ...session, eventSeq: session.eventSeq - 1 }]));
  const days: Promise<void>[] = [];
  await Promise.all(
    sessions.map(({ id, eventSeq }) =>
      followUntil(
        test,
        person,
        id,
        ({ session }) => {
          // Each new event repeats past ones.
          if (session.eventSeq > (latest.get(id)?.eventSeq ?? 0)) {
            latest.set(id, session);
            if (onlyWaits([...latest.values()])) days.push(letADayPass(test));
          }
          return session.status !== "processing";
        },
        eventSeq - 1,
      ),
    ),
  );
  await Promise.all(days);
  return days.length;
}

function onlyWaits(sessions: readonly ScanSession[]): boolean {
  const running = sessions.filter((session) => session.status === "processing");
  return (
    running.length > 0 &&
    running.every(({ counts }) => !counts.pending && !counts.processing && !counts.queued && (counts.waiting ?? 0) > 0)
  );
}
