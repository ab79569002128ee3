import type { Endpoint, Fault } from "./faults.ts";

/** One call that reached the simulator. `endpoint` is "elsewhere" for the host that redirects of magic certs lead to. */
export type Call = {
  endpoint: Endpoint | "elsewhere";
  /** In capitals: TAG's photos are looked for by HEAD and fetched by GET. */
  method: string;
  path: string;
  /** Null for calls about no certificate, like CGC's login, and for batches. */
  cert: string | null;
  /** All that a batch asked for, each as often as it was asked for; other calls have none. */
  certs?: readonly string[];
  /** Milliseconds since 1970. */
  at: number;
  /**
   * How the call was made to fail: by order, by chance, by its cert, or as it had to be refused; null when it was
   * answered. An endpoint that has no words for a fault answers all the same.
   */
  fault: Fault | null;
};

/** What a test wants to count; a field left out matches everything, a cert also the batches that have it. */
type CallFilter = { endpoint?: Call["endpoint"]; cert?: string; path?: string; fault?: Fault | null };

/** The newest calls are kept one by one, up to this many; older ones only count in `totals`. */
const KEPT = 20_000;

/** Every upstream call, so that tests can count them. */
export class CallLog {
  #kept: Call[] = [];
  #totals = new Map<Call["endpoint"], number>();

  add(call: Call): void {
    this.#totals.set(call.endpoint, this.total(call.endpoint) + 1);
    this.#kept.push(call);
    if (this.#kept.length > KEPT * 1.1) this.#kept = this.#kept.slice(-KEPT);
  }

  /** Calls to one endpoint since the start or the last `clear`, whether still kept one by one or not. */
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
