/*
 * Tracks unresponsive hosts per requester, so that one requester's hanging pictures don't block others on the same
 * host. After three failures in a row, the host is paused for a minute. Then one request goes through as a probe; it
 * reopens the host or starts the next minute.
 */

const FAILURES_TO_PAUSE = 3;
const PAUSE_MS = 60_000;

export function createSilentHosts(now: () => Date) {
  const silent = new Map<string, { failures: number; untilMs: number }>();
  const nameOf = (who: string, host: string): string => `${who} ${host}`;

  return {
    /** Whether a host may be asked now. If so, the caller must report the result with `note`. */
    mayAsk(who: string, host: string): boolean {
      const state = silent.get(nameOf(who, host));
      if (!state || state.failures < FAILURES_TO_PAUSE) return true;
      const nowMs = now().getTime();
      if (nowMs < state.untilMs) return false;
      // Only the probe may pass until it reports its result.
      state.untilMs = nowMs + PAUSE_MS;
      return true;
    },
    note(who: string, host: string, hasAnswered: boolean): void {
      const name = nameOf(who, host);
      const failures = (silent.get(name)?.failures ?? 0) + 1;
      if (hasAnswered) silent.delete(name);
      else silent.set(name, { failures, untilMs: now().getTime() + PAUSE_MS });
    },
  };
}
