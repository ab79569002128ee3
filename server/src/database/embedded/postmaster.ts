import { readdir, readFile, readlink, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
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

/** Whether a live (not zombie) process of PostgreSQL works in the cluster: PostgreSQL's working directory is its cluster. */
async function worksIn(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== "linux") return isAlive(pid);
  try {
    const status = await readFile(`/proc/${pid}/stat`, "utf8");
    const end = status.lastIndexOf(")");
    const name = status.slice(status.indexOf("(") + 1, end);
    const isDead = /^[ZX]/.test(status.slice(end + 2));
    if (name !== "postgres" || isDead || !(await haveOneOwner(`/proc/${pid}`, clusterDir))) return false;
    return await hasWorkingDirectory(pid, clusterDir);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ESRCH") return false;
    throw error;
  }
}

/** PostgreSQL refuses a cluster of another account, so somebody else's processes are not at work in this one. */
async function haveOneOwner(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  return first.uid === second.uid;
}

/** Where the kernel won't tell (a container's root without SYS_PTRACE), the answer is the careful one: yes. */
async function hasWorkingDirectory(pid: number, clusterDir: string): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(clusterDir));
  } catch (error) {
    if (codeOf(error) === "EACCES" || codeOf(error) === "EPERM") return true;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
