import { readdir, readFile } from "node:fs/promises";
import { getPriority, setPriority } from "node:os";

/* Requests come before other threads' work. Only Linux has a priority for each thread. */

/** Added to the niceness of the server, which may not be 0. Only root can lower a niceness. */
const NICER = 10;
const NICEST = 19;
const isSupported = process.platform === "linux";

export const lowPriority = (): number => Math.min(getPriority() + NICER, NICEST);

export function lowerOwnPriority(): void {
  if (isSupported) setPriority(lowPriority());
}

/**
 * Lowers the priority of the threads that decode images, compress, and hash. The threads that they start inherit it.
 */
export async function lowerPoolPriority(): Promise<void> {
  if (!isSupported) return;
  // Reading the folder has started the pool's threads.
  for (const thread of await readdir("/proc/self/task")) {
    const name = await readFile(`/proc/self/task/${thread}/comm`, "utf8");
    if (name === "libuv-worker\n") setPriority(Number(thread), lowPriority());
  }
}
