import { setTimeout as pause } from "node:timers/promises";
import type { BenchDatabase } from "../stage/postgres.ts";

const POLL_MS = 200;
const LONGEST_MS = 120_000;

/**
 * Waits until a session has ended. Reads the database directly, so that the server has no other work.
 *
 * @param onPoll called at every poll during the run
 * @returns cards settled per second between the first and the last settled row
 */
export async function runToEnd(
  database: BenchDatabase,
  sessionId: string,
  onPoll?: () => Promise<void>,
): Promise<number> {
  const deadline = performance.now() + LONGEST_MS;
  for (;;) {
    const [session] = await database.query<{ status: string }>("SELECT status FROM scan_sessions WHERE id = $1", [
      sessionId,
    ]);
    if (session?.status !== "processing") break;
    if (performance.now() > deadline) throw new Error("The run did not end in time");
    await onPoll?.();
    await pause(POLL_MS);
  }
  const [pace] = await database.query<{ rate: number; failed: number }>(
    `SELECT coalesce((count(*) - 1) / nullif(extract(epoch FROM max(processed_at) - min(processed_at)), 0), 0)::float8 AS rate,
       (count(*) FILTER (WHERE status <> 'completed'))::int AS failed
     FROM scan_results WHERE session_id = $1`,
    [sessionId],
  );
  if (!pace || pace.failed > 0) throw new Error(`${pace?.failed ?? "All"} cards failed: nothing worth measuring`);
  return pace.rate;
}
