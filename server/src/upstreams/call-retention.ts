import { sql } from "kysely";
import { repeat } from "../concurrency/repeat.ts";
import type { Database } from "../database/connection.ts";

const KEPT = sql<Date>`now() - interval '90 days'`;
const FORGET_EVERY_MS = 3_600_000;

/** Deletes upstream calls and price requests older than 90 days. Their daily counts stay. */
export async function forgetOldCalls(db: Database): Promise<void> {
  await db.deleteFrom("upstream_calls").where("called_at", "<", KEPT).execute();
  await db.deleteFrom("price_asks").where("asked_at", "<", KEPT).execute();
}

/** Runs `forgetOldCalls` every hour until the signal aborts. Resolves when the last run ends. */
export function startCallRetention(
  { db, report }: { db: Database; report: (error: Error) => void },
  closing: AbortSignal,
): Promise<void> {
  const failure = "Failed to delete old upstream calls; retrying in an hour";
  return repeat(() => forgetOldCalls(db), { everyMs: FORGET_EVERY_MS, failure, report, closing });
}
