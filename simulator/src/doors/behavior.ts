import { Chaos, type ChaosCall, type ChaosMix } from "./chaos.ts";
import type { Door, Fault } from "./faults.ts";

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
  readonly #faults = new Map<Door, Fault>();
  readonly #onRenew: (() => void)[] = [];
  readonly #seed: string;
  #chaos: Chaos | null = null;
  readonly #holds = new Map<Door, Hold>();

  constructor(start: { latencyMs: Latency; failureRate: number; psaDailyQuota: number | null; seed: string }) {
    this.#seed = start.seed;
    this.latencyMs = start.latencyMs;
    this.failureRate = start.failureRate;
    this.psaDailyQuota = start.psaDailyQuota;
  }

  /** From now on every call to the door ends in this fault, whatever cert it asks for. */
  fail(door: Door, fault: Fault): void {
    this.#faults.set(door, fault);
  }

  /** From now on the door answers this many calls; the others arrive, but are answered only after `release`. */
  hold(door: Door, answered = 0): void {
    this.release(door);
    this.#holds.set(door, { answered, released: Promise.withResolvers() });
  }

  /** Ends what `hold` began, at one door or at all. */
  release(door?: Door): void {
    for (const [name, { released }] of this.#holds) {
      if (door !== undefined && name !== door) continue;
      released.resolve();
      this.#holds.delete(name);
    }
  }

  /** Resolves when a call to the door may be answered. */
  async answering(door: Door): Promise<void> {
    const hold = this.#holds.get(door);
    if (!hold) return;
    if (hold.answered > 0) hold.answered -= 1;
    else await hold.released.promise;
  }

  /** Ends what `fail` began at one door, or all of it, and `hold`. */
  heal(door?: Door): void {
    if (door !== undefined) {
      this.#faults.delete(door);
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

  faultOf(door: Door): Fault | null {
    return this.#faults.get(door) ?? null;
  }

  /** A new day: PSA's quota starts afresh, every login of CGC and CardLadder has expired. */
  renewDay(): void {
    for (const renew of this.#onRenew) renew();
  }

  onRenewDay(renew: () => void): void {
    this.#onRenew.push(renew);
  }
}
