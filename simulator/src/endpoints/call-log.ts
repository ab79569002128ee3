import type { Endpoint, Fault } from "./faults.ts";

/** One call that reached the simulator. `endpoint` is "elsewhere" for the host that magic certs redirect to. */
export type Call = {
  endpoint: Endpoint | "elsewhere";
  /** Uppercase. TAG's photos are checked with HEAD and fetched with GET. */
  method: string;
  path: string;
  /** Null for batches and for calls without a certificate, such as CGC's login. */
  cert: string | null;
  /** All certs of a batch, including repeats. Other calls have none. */
  certs?: readonly string[];
  /** Milliseconds since 1970. */
  at: number;
  /**
   * The fault that was selected by a test, at random, by the cert or by validation. Null for a normal response. An
   * endpoint without a response for the fault still responds normally.
   */
  fault: Fault | null;
};

/** A filter for calls. Omitted fields match everything. `cert` also matches batches that contain it. */
type CallFilter = { endpoint?: Call["endpoint"]; cert?: string; path?: string; fault?: Fault | null };

/** The number of newest calls kept individually. Older calls count only in `totals`. */
const KEPT = 20_000;

/** A log of all calls, so that tests can count them. */
export class CallLog {
  #kept: Call[] = [];
  #totals = new Map<Call["endpoint"], number>();

  add(call: Call): void {
    this.#totals.set(call.endpoint, this.total(call.endpoint) + 1);
    this.#kept.push(call);
    if (this.#kept.length > KEPT * 1.1) this.#kept = this.#kept.slice(-KEPT);
  }

  /** The number of calls to one endpoint since the start or the last `clear`, including calls no longer kept. */
  total(endpoint: Call["endpoint"]): number {
    return this.#totals.get(endpoint) ?? 0;
  }

  /** The kept calls, oldest first. `path` matches as a prefix. */
  list(filter: CallFilter = {}): Call[] {
    return this.#kept.filter(
      (call) =>
        (filter.endpoint === undefined || call.endpoint === filter.endpoint) &&
        (filter.cert === undefined || call.cert === filter.cert || call.certs?.includes(filter.cert)) &&
        (filter.fault === undefined || call.fault === filter.fault) &&
        (filter.path === undefined || call.path.startsWith(filter.path)),
    );
  }

  count(filter: CallFilter = {}): number {
    return this.list(filter).length;
  }

  clear(): void {
    this.#kept = [];
    this.#totals.clear();
  }
}
