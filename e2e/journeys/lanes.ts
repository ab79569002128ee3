import { expect } from "../journey.ts";
import type { Upstream } from "../product/upstream.ts";

/** The server asks each grader for one card at a time. */
const LANES = 3;

/** Lets each grader answer this many calls, then waits until each has received the next one. The gate must hold calls. */
export async function letEachLaneAsk({ gate }: Upstream, calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    await expect.poll(() => gate.waitingCount).toBe(LANES);
    gate.release(LANES);
  }
  await expect.poll(() => gate.waitingCount).toBe(LANES);
}
