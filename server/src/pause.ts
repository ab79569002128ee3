import { setTimeout as sleep } from "node:timers/promises";

/** Waits `ms` milliseconds or until the signal aborts. Resolves in both cases. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
