import { execFile } from "node:child_process";
import { readdir, readFile, readlink, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { EmbeddedDatabaseError, unlessFailed } from "./embedded-database-error.ts";

/*
 * Finds the processes that use a cluster. PostgreSQL's working directory is its cluster, but in a container without
 * SYS_PTRACE, root can't read the working directory of another account's process. Everyone can read command lines:
 *
 * - a postmaster's shows how it was started; ours always has `-D <cluster>`
 * - a child's shows a title ("postgres: checkpointer"); its parent tells which cluster it uses
 * - a child whose postmaster is dead shows nothing more; it ends within moments and until then counts as possibly ours
 */

const run = promisify(execFile);
const GONE = ["ENOENT", "ESRCH"];
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

/** Whether a live (not zombie) PostgreSQL process uses the cluster. */
export async function worksIn(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== "linux") return namesCluster(pid, clusterDir);
  return unlessFailed(GONE, false, async () => {
    const { isPostgres } = await readStat(pid);
    if (!isPostgres) return false;
    // PostgreSQL refuses another account's cluster, so processes of other accounts don't use this one.
    const [own, cluster] = await Promise.all([stat(`/proc/${pid}`), stat(clusterDir)]);
    if (own.uid !== cluster.uid) return false;
    const folder = await unlessFailed(["EACCES", "EPERM"], null, () => readlink(`/proc/${pid}/cwd`));
    return folder === null ? await belongsTo(pid, clusterDir) : folder === (await realpath(clusterDir));
  });
}

async function readStat(pid: number): Promise<{ isPostgres: boolean; parent: number }> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  const end = text.lastIndexOf(")");
  const [state = "", parent] = text.slice(end + 2).split(" ");
  const name = text.slice(text.indexOf("(") + 1, end);
  return { isPostgres: name === "postgres" && !/[ZX]/.test(state), parent: Number(parent) };
}

async function belongsTo(pid: number, clusterDir: string): Promise<boolean> {
  const command = await readCommandLine(pid);
  if (!command[0]?.startsWith("postgres: ")) return isStartedOn(command, clusterDir);
  const { parent } = await readStat(pid);
  const postmaster = await unlessFailed(GONE, null, async () => {
    // If the parent is not PostgreSQL, the postmaster died and another process inherited its child.
    return (await readStat(parent)).isPostgres ? await readCommandLine(parent) : null;
  });
  return postmaster === null || isStartedOn(postmaster, clusterDir);
}

async function readCommandLine(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
}

async function isStartedOn(command: string[], clusterDir: string): Promise<boolean> {
  const folder = command[command.indexOf("-D") + 1];
  if (!command.includes("-D") || folder === undefined) return false;
  if (folder === clusterDir) return true;
  const isSame = async (): Promise<boolean> => (await realpath(folder)) === (await realpath(clusterDir));
  return unlessFailed([...GONE, "EACCES"], false, isSame);
}

/** Without /proc (macOS), `ps` prints the whole command line as one string, and only a name for a zombie. */
async function namesCluster(pid: number, clusterDir: string): Promise<boolean> {
  try {
    const { stdout } = await run("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
    const folders = [clusterDir, await realpath(clusterDir)];
    return folders.some((folder) => `${stdout.trimEnd()} `.includes(` -D ${folder} `));
  } catch (error) {
    // `ps` exits with 1 if it finds no process.
    if (error instanceof Error && "code" in error && error.code === 1) return false;
    throw error;
  }
}
