import { admit, stateOf, next, UNUSED, type EndpointRecord } from "./breaker-rules.ts";

/** After this time, another request may replace a probe that has not reported. */
const PROBE_LEASE_MS = 60_000;

/** Applies the breaker's rules to the hosts of images, in memory: there are many, and a restart may retry them. */
export function createHostBreaker(now: () => Date) {
  const records = new Map<string, EndpointRecord>();

  return {
    /** Admits a request to a host, or returns null while the host is paused. Every admission must be reported. */
    admit(host: string): { isProbe: boolean } | null {
      const record = records.get(host);
      if (!record) return { isProbe: false };
      const { kind } = stateOf(record, { at: now(), patienceMs: PROBE_LEASE_MS }, { now: now() });
      if (kind !== "open" && kind !== "due") return null;
      const admitted = admit(record, { probeLeaseMs: PROBE_LEASE_MS }, { now: now() });
      records.set(host, admitted.record);
      return admitted;
    },

    report(host: string, { isProbe }: { isProbe: boolean }, hasAnswered: boolean): void {
      if (hasAnswered) records.delete(host);
      else {
        const failure = { kind: "fails", code: "unavailable", message: "", isProbe, refund: 0 } as const;
        records.set(host, next(records.get(host) ?? UNUSED, failure, { now: now() }));
      }
    },
  };
}
