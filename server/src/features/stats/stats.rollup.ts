import type { Database } from "../../database/connection.ts";
import { pause } from "../../pause.ts";
import { rollUpCounters, listNotRolledUp } from "./stats.repo.ts";

/*
 * Every change of settled rows adds a line to the figures, as adding is what nobody has to wait for. Once a minute those of
 * a session are summed up, so that a reader adds up hundreds of thousands at most, not one a row.
 */

export type RollupParts = { db: Database; report: (error: Error) => void };

const FOLD_EVERY_MS = 60_000;

/** Sums up what was added to the figures, each session by itself. */
export async function rollUpAll(db: Database): Promise<void> {
  for (const sessionId of await listNotRolledUp(db)) await rollUpCounters(db, sessionId);
}

/** The same now and then, until the signal aborts; resolves when the last time has ended. */
export async function startRollup({ db, report }: RollupParts, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    try {
      await rollUpAll(db);
    } catch (error) {
      report(new Error("Figures could not be summed up; tried again in a minute", { cause: error }));
    }
    await pause(FOLD_EVERY_MS, closing);
  }
}
