import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { worksIn } from "./cluster-process.ts";
import { EmbeddedDatabaseError, unlessFailed } from "./embedded-database-error.ts";

const LOOK_EVERY_MS = 20;
const LEAVING_AT_MOST_MS = 30_000;

/**
 * Finds the process of a database that runs on the cluster; null if there is none. @throws EmbeddedDatabaseError
 * PostgreSQL itself can't tell these states of `postmaster.pid` apart:
 *
 * - running: the application was killed and the postmaster is an orphan on this cluster → adopt it
 * - leaving: the postmaster is dead (or a zombie not yet reaped) and its children are still ending → wait
 * - gone: dead, a permanent zombie (in containers whose first process reaps nothing), or the id now belongs to another
 *   program, and no process uses the cluster → the file would make PostgreSQL refuse to start → delete it
 */
export async function findPostmaster(clusterDir: string): Promise<number | null> {
  const pidFile = join(clusterDir, "postmaster.pid");
  const text = await unlessFailed(["ENOENT"], null, () => readFile(pidFile, "utf8"));
  if (text === null) return null;
  // After a power failure, the file may be incomplete and name no process.
  const pid = Number(text.split("\n")[0]);
  if (Number.isInteger(pid) && pid > 0 && (await worksIn(pid, clusterDir))) return pid;
  const deadline = Date.now() + LEAVING_AT_MOST_MS;
  for (let left = await workersOf(clusterDir); left.length > 0; left = await workersOf(clusterDir)) {
    if (Date.now() > deadline) {
      const message = `Processes ${left.join(", ")} of an earlier database still work in ${clusterDir}.`;
      throw new EmbeddedDatabaseError("start_failed", message);
    }
    await pause(LOOK_EVERY_MS);
  }
  await rm(pidFile, { force: true });
  return null;
}

/** Resolves with true when the process no longer uses the cluster, or with false when the caller aborts. */
export async function waitUntilGone(pid: number, clusterDir: string, everyMs: number, signal?: AbortSignal) {
  while (await worksIn(pid, clusterDir)) {
    await pause(everyMs, undefined, signal ? { signal } : {}).catch(() => {});
    if (signal?.aborted) return false;
  }
  return true;
}

async function workersOf(clusterDir: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => worksIn(pid, clusterDir)));
  return pids.filter((_, index) => found[index]);
}
