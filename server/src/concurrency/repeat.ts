import { pause } from "../pause.ts";

type Repeated = { everyMs: number; failure: string; report: (error: Error) => void; closing: AbortSignal };

/** Runs `work` now and after each pause until `closing` aborts. Reports a failed run as `failure`. */
export async function repeat(work: () => Promise<unknown>, options: Repeated): Promise<void> {
  const { everyMs, failure, report, closing } = options;
  while (!closing.aborted) {
    try {
      await work();
    } catch (cause) {
      report(new Error(failure, { cause }));
    }
    await pause(everyMs, closing);
  }
}
