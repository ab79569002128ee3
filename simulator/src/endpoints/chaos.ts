import { seeded } from "../made-up/seeded.ts";
import type { Endpoint, Fault } from "./faults.ts";

/**
 * The faults that chaos can cause. Faults that make a false statement about the certificate, like "not found", are
 * excluded.
 */
export const CHAOS_FAULTS = [
  "server_error",
  "reset",
  "hang",
  "torn",
  "html",
  "bot_wall",
  "quota",
  "quota_brief",
  "quota_no_retry_after",
  "other_cert",
  "huge",
] as const satisfies readonly Fault[];
export type ChaosFault = (typeof CHAOS_FAULTS)[number];

/** The share of calls, 0 to 1, that end in each fault. The rest get normal responses. */
export type ChaosMix = Partial<Record<ChaosFault, number>>;

/** A call as input to chaos. With the same seed, the n-th call of its kind gets the same fault in every run. */
export type ChaosCall = { endpoint: Endpoint; path: string };

/**
 * Draws a fault or none for each call. The result depends on the seed, the address and the number of earlier calls to
 * it. It doesn't depend on the order of calls about different certificates, so concurrent runs are repeatable.
 */
export class Chaos {
  readonly #seed: string;
  readonly #shares: readonly (readonly [ChaosFault, number])[];
  readonly #asked = new Map<string, number>();

  /** @throws RangeError if a share isn't between 0 and 1, or the sum is more than 1 */
  constructor(seed: string, mix: ChaosMix) {
    this.#seed = seed;
    this.#shares = CHAOS_FAULTS.map((fault) => [fault, mix[fault] ?? 0] as const);
    const isShare = this.#shares.every(([, share]) => share >= 0 && share <= 1);
    // Shares like 0.1 aren't exact binary fractions. Ten of them add up to slightly more than 1.
    const isWhole = this.#shares.reduce((sum, [, share]) => sum + share, 0) <= 1 + Number.EPSILON * 10;
    if (!isShare || !isWhole) throw new RangeError("The shares of a chaos mix are from 0 to 1, together at most 1");
  }

  draw({ endpoint, path }: ChaosCall): ChaosFault | null {
    const call = `${endpoint} ${path}`;
    const nth = (this.#asked.get(call) ?? 0) + 1;
    this.#asked.set(call, nth);
    let rest = seeded(`${this.#seed} ${call} ${nth}`).next();
    for (const [fault, share] of this.#shares) {
      if (rest < share) return fault;
      rest -= share;
    }
    return null;
  }
}
