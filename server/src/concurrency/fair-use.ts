import { availableParallelism } from "node:os";
import { type Budgets, hasOthers, limitBy } from "./budgets.ts";

/** What all requests may use together before anyone must wait, in processors: half of the machine's. */
const ENOUGH = availableParallelism() / 2;
/** Never too much for a person, in processors. */
const LITTLE = 0.05;
/** What a place in use counts before its time is known, in processors. So people who must wait get places one at a time. */
const USE_OF_A_PLACE = 0.1;
const NEGLIGIBLE = 0.001;
/** Use is averaged over about this time. */
const MEMORY_MS = 5_000;

/**
 * While others send requests and the machine is busy, whoever uses much more than most others must wait, until all who
 * do so use the same and together no more than `ENOUGH`. Who uses about as much as the others never waits.
 */
export function createFairUse(): Budgets {
  const uses = new Map<string, { rate: number; at: number }>();
  /** The processors that a person uses on average. */
  function rateOf(person: string): number {
    const use = uses.get(person);
    return use ? use.rate * Math.exp((use.at - performance.now()) / MEMORY_MS) : 0;
  }

  function spend(person: string, ms: number): void {
    uses.set(person, { rate: rateOf(person) + ms / MEMORY_MS, at: performance.now() });
    for (const other of uses.keys()) if (rateOf(other) < NEGLIGIBLE) uses.delete(other);
  }

  function mustRest(person: string, held = 0): boolean {
    if (!hasOthers(person)) return false;
    const own = rateOf(person) + held * USE_OF_A_PLACE;
    const others = [...uses.keys()].filter((other) => other !== person).map(rateOf);
    others.sort((a, b) => a - b);
    const usual = others[Math.floor((others.length - 1) / 2)] ?? 0;
    return own > Math.max(LITTLE, 2 * usual, shareOf(own, others));
  }

  return limitBy({ spend, mustRest, restMs: () => MEMORY_MS / 50 });
}

/** What a person may use: those who use less leave the rest to the others, in equal parts. */
function shareOf(own: number, others: readonly number[]): number {
  let [left, many] = [ENOUGH, others.length + 1];
  for (const rate of others) {
    if (rate > own || rate > left / many) break;
    [left, many] = [left - rate, many - 1];
  }
  return left / many;
}

/** For all requests that are no heavy work, so that exports and large sheets don't delay a person's other requests. */
export const requests = createFairUse();
