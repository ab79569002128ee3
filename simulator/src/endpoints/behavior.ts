import { Chaos, type ChaosCall, type ChaosMix } from "./chaos.ts";
import type { Endpoint, Fault } from "./faults.ts";

/** The response time of an upstream in milliseconds: a constant or a range. */
export type Latency = number | readonly [lowMs: number, highMs: number];

type Hold = { answered: number; released: PromiseWithResolvers<void> };

/** Settings that a test can change while the simulator runs. Each change applies from the next call. */
export class Behavior {
  latencyMs: Latency;
  /** The share of calls, 0 to 1, that fail with a random 5xx. Includes image files, excludes logins. */
  failureRate: number;
  /** PSA calls per 24 hours, starting at the first call. Null means no limit. */
  psaDailyQuota: number | null;
  /** CGC's dealer API: whether v3 knows no certificate, and whether its bodies are flat instead of nested. */
  cgc = { hasOnlyV2: false, isFlat: false };
  /** The argument set that CardLadder's functions take, and the companies that they refuse. */
  cardladder: { argumentSet: "condition" | "grade"; refused: readonly string[] } = {
    argumentSet: "condition",
    refused: [],
  };
  /** A factor for all estimates and sales, so that a refreshed price differs from the first. */
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

  /** Makes every call to the endpoint end in this fault, whatever its cert. */
  fail(endpoint: Endpoint, fault: Fault): void {
    this.#faults.set(endpoint, fault);
  }

  /**
   * Lets the endpoint respond to `answered` more calls. Later calls are received, but get no response until `release`.
   */
  hold(endpoint: Endpoint, answered = 0): void {
    this.release(endpoint);
    this.#holds.set(endpoint, { answered, released: Promise.withResolvers() });
  }

  /** Ends `hold` at one endpoint or at all. */
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

  /** Ends `fail` at one endpoint. Without an endpoint, ends all `fail` and `hold` settings. */
  heal(endpoint?: Endpoint): void {
    if (endpoint !== undefined) {
      this.#faults.delete(endpoint);
      return;
    }
    this.#faults.clear();
    this.release();
  }

  /**
   * Sets the shares of calls about certificates, to APIs and pages, that end in each fault. Null ends it.
   *
   * @throws RangeError if a share isn't between 0 and 1, or the sum is more than 1
   */
  chaos(mix: ChaosMix | null): void {
    this.#chaos = mix && new Chaos(this.#seed, mix);
  }

  /** The random fault for this call, or null. */
  drawChaos(call: ChaosCall): Fault | null {
    return this.#chaos?.draw(call) ?? null;
  }

  faultOf(endpoint: Endpoint): Fault | null {
    return this.#faults.get(endpoint) ?? null;
  }

  /** Starts a new day: resets PSA's quota and expires all logins of CGC and CardLadder. */
  renewDay(): void {
    for (const renew of this.#onRenew) renew();
  }

  onRenewDay(renew: () => void): void {
    this.#onRenew.push(renew);
  }
}
