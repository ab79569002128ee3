import { setTimeout as sleep } from "node:timers/promises";

/** Waits `ms` milliseconds or until the signal aborts. Resolves in both cases. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

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
