import { setImmediate, setTimeout as pause } from "node:timers/promises";
import { hasOthers, heavyWork } from "./budgets.ts";
import { createShares } from "./shares.ts";

/* Long work runs in pieces, alternating between people. While others send requests, a pause follows each piece. */

/** The pause after a piece, as a multiple of its duration, and one more before the same person's next one if it must rest. */
const PAUSE = 3;
const REST = 32;
const LONGEST_REST_MS = 4_000;

const turns = createShares({ total: 1, each: 1 });

/** Runs a piece of a person's long work when it is their turn. A piece that fails counts, too. */
export async function takeTurn<T>(person: string, work: () => T | Promise<T>): Promise<T> {
  let duration = 0;
  try {
    return await turns.run(person, async () => {
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        duration = performance.now() - startedAt;
        // A piece that waited for the database doesn't stop everybody's long work.
        if (hasOthers(person)) await pause(Math.min(1_000, PAUSE * duration));
        else await setImmediate();
      }
    });
  } finally {
    heavyWork.spend(person, duration);
    if (heavyWork.mustRest(person)) await pause(Math.min(LONGEST_REST_MS, REST * duration));
  }
}

/** Works through pieces in turns. The first piece, often the only one, does not wait. */
export async function inTurns<T>(person: string, pieces: Iterable<T>, work: (piece: T) => void): Promise<void> {
  let isFirst = true;
  for (const piece of pieces) {
    if (isFirst) work(piece);
    else await takeTurn(person, () => work(piece));
    isFirst = false;
  }
}

/** Charges a person for a piece of long work in the database, and pauses after it while others send requests. */
export async function restAfter(person: string, ms: number): Promise<void> {
  heavyWork.spend(person, ms);
  const restMs = heavyWork.mustRest(person) ? PAUSE * ms : ms;
  if (hasOthers(person)) await pause(Math.min(LONGEST_REST_MS, restMs));
}

/** Spends the budget for a short piece of work that follows. If the person must rest, waits first, up to 4 seconds. */
export async function restBefore(person: string, ms: number): Promise<void> {
  const until = performance.now() + LONGEST_REST_MS;
  while (heavyWork.mustRest(person) && performance.now() < until) await pause(50);
  heavyWork.spend(person, ms);
}
