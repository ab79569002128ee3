import type { Door, Fault } from "./faults.ts";

/** How long an upstream takes to answer, in milliseconds: always the same, or anything between two bounds. */
export type Latency = number | readonly [lowMs: number, highMs: number];

/** What a test can switch while the simulator runs; every change holds from the next call on. */
export class Behavior {
  latencyMs: Latency;
  /** The share of calls, 0 to 1, that are answered by a 5xx at random. */
  failureRate: number;
  /** PSA calls allowed per 24 hours from the first call; null is no limit. */
  psaDailyQuota: number | null;
  readonly #faults = new Map<Door, Fault>();
  readonly #onRenew: (() => void)[] = [];

  constructor(start: { latencyMs: Latency; failureRate: number; psaDailyQuota: number | null }) {
    this.latencyMs = start.latencyMs;
    this.failureRate = start.failureRate;
    this.psaDailyQuota = start.psaDailyQuota;
  }

  /** From now on every call to the door ends in this fault, whatever cert it asks for. */
  fail(door: Door, fault: Fault): void {
    this.#faults.set(door, fault);
  }

  /** Ends what `fail` began, at one door or at all. */
  heal(door?: Door): void {
    if (door === undefined) this.#faults.clear();
    else this.#faults.delete(door);
  }

  faultOf(door: Door): Fault | null {
    return this.#faults.get(door) ?? null;
  }

  /** A new day: PSA's quota starts afresh and every CGC login has expired. */
  renewDay(): void {
    for (const renew of this.#onRenew) renew();
  }

  onRenewDay(renew: () => void): void {
    this.#onRenew.push(renew);
  }
}
