import { Chaos, type ChaosCall, type ChaosMix } from "./chaos.ts";
import type { Endpoint, Fault } from "./faults.ts";

/** How long an upstream takes to answer, in milliseconds: always the same, or anything between two bounds. */
export type Latency = number | readonly [lowMs: number, highMs: number];

type Hold = { answered: number; released: PromiseWithResolvers<void> };

/** What a test can switch while the simulator runs; every change holds from the next call on. */
export class Behavior {
  latencyMs: Latency;
  /** The share of calls, 0 to 1, that are answered by a 5xx at random, picture files included, logins not. */
  failureRate: number;
  /** PSA calls allowed per 24 hours from the first call; null is no limit. */
  psaDailyQuota: number | null;
  /** What all estimates and sales are multiplied by, so that a price asked for anew is another one. */
  marketFactor = 1;
  readonly #faults = new Map<Endpoint, Fault>();
  readonly #onRenew: (() => void)[] = [];
  readonly #seed: string;
  #chaos: Chaos | null = null;
  readonly #holds = new Map<Endpoint, Hold>();

  constructor(start: { latencyMs: Latency; failureRate: number; psaDailyQuota: number | null; seed: string }) {
    this.#seed = start.seed;
    this.latencyMs = start.latencyMs;
    this.failureRate = start.failureRate;
    this.psaDailyQuota = start.psaDailyQuota;
  }

  /** From now on every call to the endpoint ends in this fault, whatever cert it asks for. */
  fail(endpoint: Endpoint, fault: Fault): void {
    this.#faults.set(endpoint, fault);
  }

  /** From now on the endpoint answers this many calls; the others arrive, but are answered only after `release`. */
  hold(endpoint: Endpoint, answered = 0): void {
    this.release(endpoint);
    this.#holds.set(endpoint, { answered, released: Promise.withResolvers() });
  }

  /** Ends what `hold` began, at one endpoint or at all. */
  release(endpoint?: Endpoint): void {
    for (const [name, { released }] of this.#holds) {
      if (endpoint !== undefined && name !== endpoint) continue;
      released.resolve();
      this.#holds.delete(name);
    }
  }

  /** Resolves when a call to the endpoint may be answered. */
  async answering(endpoint: Endpoint): Promise<void> {
    const hold = this.#holds.get(endpoint);
    if (!hold) return;
    if (hold.answered > 0) hold.answered -= 1;
    else await hold.released.promise;
  }

  /** Ends what `fail` began at one endpoint, or all of it, and `hold`. */
  heal(endpoint?: Endpoint): void {
    if (endpoint !== undefined) {
      this.#faults.delete(endpoint);
      return;
    }
    this.#faults.clear();
    this.release();
  }

  /**
   * From now on these shares of the calls about a certificate, to APIs and pages, end in these faults; null ends it.
   *
   * @throws RangeError when a share is not between 0 and 1, or all together are more than 1
   */
  chaos(mix: ChaosMix | null): void {
    this.#chaos = mix && new Chaos(this.#seed, mix);
  }

  /** What chaos has in store for this call; null when it is left alone. */
  drawChaos(call: ChaosCall): Fault | null {
    return this.#chaos?.draw(call) ?? null;
  }

  faultOf(endpoint: Endpoint): Fault | null {
    return this.#faults.get(endpoint) ?? null;
  }

  /** A new day: PSA's quota starts afresh, every login of CGC and CardLadder has expired. */
  renewDay(): void {
    for (const renew of this.#onRenew) renew();
  }

  onRenewDay(renew: () => void): void {
    this.#onRenew.push(renew);
  }
}
