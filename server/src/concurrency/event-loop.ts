import { setImmediate, setTimeout as pause } from "node:timers/promises";
import { createShares } from "./shares.ts";

/* Long work runs in pieces, alternating between people. While others send requests, a pause follows each piece. */

/** The pause after a piece, as a multiple of its duration. */
const PAUSE = 3;
const RECENT_MS = 300;

const turns = createShares({ total: 1, each: 1 });
/** The latest request, and the latest one of somebody else. */
let latest = { person: "", at: -Infinity };
let before = latest;

export function noteRequest(person: string): void {
  if (person !== latest.person) before = latest;
  latest = { person, at: performance.now() };
}

function hasOthers(person: string): boolean {
  const { at } = latest.person === person ? before : latest;
  return performance.now() - at < RECENT_MS;
}

/** Runs a piece of a person's long work when it is their turn. */
export function takeTurn<T>(person: string, work: () => T | Promise<T>): Promise<T> {
  return turns.run(person, async () => {
    const startedAt = performance.now();
    const result = await work();
    const duration = performance.now() - startedAt;
    if (hasOthers(person)) await pause(PAUSE * duration);
    else await setImmediate();
    return result;
  });
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
