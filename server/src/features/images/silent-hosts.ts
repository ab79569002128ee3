/*
 * Which hosts do not answer, as each of those who ask has seen it: where some pictures of a host hang, whoever asks for
 * others goes on getting them. After three failures in a row the host is left alone for a minute; then one is let
 * through, the probe, which opens it or begins the next minute.
 */

const FAILURES_TO_PAUSE = 3;
const PAUSE_MS = 60_000;

type SilentHosts = {
  /** Whether a host may be asked now. Whoever may says afterwards what came of it. */
  mayAsk(who: string, host: string): boolean;
  note(who: string, host: string, hasAnswered: boolean): void;
};

export function createSilentHosts(now: () => Date): SilentHosts {
  const silent = new Map<string, { failures: number; untilMs: number }>();
  const nameOf = (who: string, host: string): string => `${who} ${host}`;

  return {
    mayAsk(who, host) {
      const state = silent.get(nameOf(who, host));
      if (!state || state.failures < FAILURES_TO_PAUSE) return true;
      const nowMs = now().getTime();
      if (nowMs < state.untilMs) return false;
      // For the probe; it says what comes then.
      state.untilMs = nowMs + PAUSE_MS;
      return true;
    },
    note(who, host, hasAnswered) {
      const name = nameOf(who, host);
      const failures = (silent.get(name)?.failures ?? 0) + 1;
      if (hasAnswered) silent.delete(name);
      else silent.set(name, { failures, untilMs: now().getTime() + PAUSE_MS });
    },
  };
}
