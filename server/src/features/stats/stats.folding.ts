import type { Database } from "../../database/connection.ts";
import { pause } from "../../pause.ts";
import { foldFigures, listUnfolded } from "./stats.repo.ts";

/*
 * Every change of settled rows adds a line to the figures, as adding is what nobody has to wait for. Once a minute those of
 * a session are summed up, so that a reader adds up hundreds of thousands at most, not one a row.
 */

export type FoldingParts = { db: Database; report: (error: Error) => void };

const FOLD_EVERY_MS = 60_000;

/** Sums up what was added to the figures, each session by itself. */
export async function foldAll(db: Database): Promise<void> {
  for (const sessionId of await listUnfolded(db)) await foldFigures(db, sessionId);
}

/** The same now and then, until the signal aborts; resolves when the last time has ended. */
export async function foldNowAndThen({ db, report }: FoldingParts, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    try {
      await foldAll(db);
    } catch (error) {
      report(new Error("Figures could not be summed up; tried again in a minute", { cause: error }));
    }
    await pause(FOLD_EVERY_MS, closing);
  }
}
