import { setTimeout as pause } from "node:timers/promises";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { runToEnd } from "./run-to-end.ts";

export const FEW = 1_000;
export const MANY = 100_000;
const CONCURRENCY = 8;
const POLL_MS = 500;
const EARLIER_CERT = 20_000_000;

/**
 * Milliseconds per card of the first thousand cards of a sheet with this many rows. The database has statistics from an
 * earlier sheet: in its first minute, until autovacuum has run, it doesn't know how selective a job is.
 */
export async function measureCostPerCard(stage: Stage, rows: number): Promise<number> {
  return stage.withNodes([{ LANE_CONCURRENCY: String(CONCURRENCY) }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const visitor = await node.visit();
    const earlier = await visitor.upload(makeSheet(FEW, EARLIER_CERT));
    await runToEnd(database, earlier.id);
    await database.query("ANALYZE");
    const { id } = await visitor.upload(makeSheet(rows));
    for (;;) {
      // The database counts settled rows in the session, so that waiting costs the same for every sheet.
      const [session] = await database.query<{ settled: number }>(
        "SELECT processed_cards AS settled FROM scan_sessions WHERE id = $1",
        [id],
      );
      if (session && session.settled >= FEW) break;
      await pause(POLL_MS);
    }
    const [first] = await database.query<{ ms: number }>(
      `SELECT (extract(epoch FROM max(processed_at) - min(processed_at)) * 1000)::float8 AS ms
       FROM (SELECT processed_at FROM scan_results WHERE session_id = $1 AND processed_at IS NOT NULL
         ORDER BY processed_at LIMIT ${FEW}) AS first`,
      [id],
    );
    return (first?.ms ?? Number.NaN) / FEW;
  });
}
