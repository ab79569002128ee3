import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { worksIn } from "./cluster-process.ts";
import { codeOf, EmbeddedDatabaseError } from "./embedded-database-error.ts";

/**
 * What `postmaster.pid` in a cluster means. PostgreSQL alone can't tell: the process it names may be
 *
 * - running on this cluster: its server was killed and it went on as an orphan → adopt it
 * - leaving: the postmaster is dead (or a zombie nobody has reaped yet) while its children still end → wait
 * - gone: dead, a zombie for good (containers whose first process reaps nobody), or the number now belongs to some
 *   other program → the file is stale and PostgreSQL would refuse to start because of it → clear it
 *
 * A file is cleared only when no process works in the cluster's folder any more.
 */
export type Postmaster = { state: "none" } | { state: "running"; pid: number };

const LOOK_EVERY_MS = 20;
const LEAVING_AT_MOST_MS = 30_000;

/**
 * Finds out whether a database runs on the cluster, and clears what a dead one left.
 *
 * @throws EmbeddedDatabaseError start_failed when processes of a dead database don't end in 30 s
 */
export async function findPostmaster(clusterDir: string): Promise<Postmaster> {
  const pidFile = join(clusterDir, "postmaster.pid");
  const pid = await readPostmasterPid(pidFile);
  if (pid === "no file") return { state: "none" };
  if (pid !== "unreadable" && (await worksIn(pid, clusterDir))) return { state: "running", pid };
  const deadline = Date.now() + LEAVING_AT_MOST_MS;
  for (let left = await workersOf(clusterDir); left.length > 0; left = await workersOf(clusterDir)) {
    if (Date.now() > deadline) {
      throw new EmbeddedDatabaseError(
        "start_failed",
        `Processes ${left.join(", ")} of an earlier database still work in ${clusterDir}. End them, then start again.`,
      );
    }
    await pause(LOOK_EVERY_MS);
  }
  await rm(pidFile, { force: true });
  return { state: "none" };
}

/** Resolves when the process is no longer at work in the cluster, or when nobody wants to know any more. */
export async function waitUntilGone(
  pid: number,
  clusterDir: string,
  everyMs: number,
  signal?: AbortSignal,
): Promise<"gone" | "not watched"> {
  while (await worksIn(pid, clusterDir)) {
    await pause(everyMs, undefined, signal ? { signal } : {}).catch(() => {});
    if (signal?.aborted) return "not watched";
  }
  return "gone";
}

/** A file torn by a power cut names no process. */
async function readPostmasterPid(pidFile: string): Promise<number | "no file" | "unreadable"> {
  try {
    const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : "unreadable";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "no file";
    throw error;
  }
}

async function workersOf(clusterDir: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => worksIn(pid, clusterDir)));
  return pids.filter((_, index) => found[index]);
}
