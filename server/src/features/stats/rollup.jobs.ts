import { repeat } from "../../concurrency/repeat.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/connection.ts";
import { rollUpCounters, listNotRolledUp } from "./stats.repo.ts";

/* Inserting counters waits for no lock. Rolled up every minute, they stay a few hundred thousand, not one per row. */

const ROLLUP_EVERY_MS = 60_000;

/** Rolls up the counters of all sessions that changed, one session at a time. */
export async function rollUpAll(db: Database): Promise<void> {
  for (const sessionId of await listNotRolledUp(db)) await rollUpCounters(db, sessionId);
}

/** Runs `rollUpAll` every minute until the lanes close. Resolves when the last run ends. */
export function startRollup({ db, report, upstreams }: Context): Promise<void> {
  const failure = "The counter rollup failed; retrying in a minute";
  return repeat(() => rollUpAll(db), { everyMs: ROLLUP_EVERY_MS, failure, report, closing: upstreams.lanes.closing });
}
