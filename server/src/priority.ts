import { getPriority, setPriority } from "node:os";

/* Requests come before the work of threads and child processes. */

/** Added to the niceness of the server, which may not be 0. Only root can lower a niceness. */
const NICER = 10;
const NICEST = 19;

export const lowPriority = (): number => Math.min(getPriority() + NICER, NICEST);

/** Lowers the priority of the calling thread. Only Linux has a priority for each thread. */
export function lowerOwnPriority(): void {
  if (process.platform === "linux") setPriority(lowPriority());
}
