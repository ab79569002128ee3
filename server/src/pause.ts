import { setTimeout as sleep } from "node:timers/promises";

/** Waits `ms` milliseconds, or less when the signal aborts; resolves either way. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
