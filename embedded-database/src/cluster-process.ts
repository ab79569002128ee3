import { execFile } from "node:child_process";
import { readFile, readlink, realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "./embedded-database-error.ts";

/*
 * Finds the processes that use a cluster. PostgreSQL's working directory is its cluster, but in a container without
 * SYS_PTRACE, root can't read the working directory of another account's process. Everyone can read command lines:
 *
 * - a postmaster's shows how it was started; ours always has `-D <cluster>`
 * - a child's shows a title ("postgres: checkpointer"); its parent tells which cluster it uses
 * - a child whose postmaster is dead shows nothing more; it ends within moments and until then counts as possibly ours
 */

const run = promisify(execFile);

/** Whether a live (not zombie) PostgreSQL process uses the cluster. */
export async function worksIn(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== "linux") return isAlive(pid) && (await namesCluster(pid, clusterDir));
  try {
    const { isPostgres } = await readStat(pid);
    if (!isPostgres || !(await haveOneOwner(`/proc/${pid}`, clusterDir))) return false;
    const folder = await readWorkingDirectory(pid);
    return folder === null ? await belongsTo(pid, clusterDir) : folder === (await realpath(clusterDir));
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

type ProcessStat = { isPostgres: boolean; parent: number };

async function readStat(pid: number): Promise<ProcessStat> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  const end = text.lastIndexOf(")");
  const [state = "", parent] = text.slice(end + 2).split(" ");
  const name = text.slice(text.indexOf("(") + 1, end);
  return { isPostgres: name === "postgres" && !/[ZX]/.test(state), parent: Number(parent) };
}

/** PostgreSQL refuses another account's cluster, so processes of other accounts don't use this one. */
async function haveOneOwner(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  return first.uid === second.uid;
}

/** Returns null if the kernel denies access. */
async function readWorkingDirectory(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    if (codeOf(error) === "EACCES" || codeOf(error) === "EPERM") return null;
    throw error;
  }
}

const CHILD_TITLE = "postgres: ";

async function belongsTo(pid: number, clusterDir: string): Promise<boolean> {
  const command = await readCommandLine(pid);
  if (!command[0]?.startsWith(CHILD_TITLE)) return isStartedOn(command, clusterDir);
  const { parent } = await readStat(pid);
  const postmaster = await readPostmaster(parent);
  return postmaster === null || isStartedOn(postmaster, clusterDir);
}

async function readCommandLine(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
}

/** Returns null if the parent is not PostgreSQL: the postmaster died and another process inherited its child. */
async function readPostmaster(pid: number): Promise<string[] | null> {
  try {
    return (await readStat(pid)).isPostgres ? await readCommandLine(pid) : null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

async function isStartedOn(command: string[], clusterDir: string): Promise<boolean> {
  const folder = command[command.indexOf("-D") + 1];
  if (!command.includes("-D") || folder === undefined) return false;
  if (folder === clusterDir) return true;
  try {
    return (await realpath(folder)) === (await realpath(clusterDir));
  } catch (error) {
    if (isGone(error) || codeOf(error) === "EACCES") return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ESRCH";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Without /proc (macOS), `ps` prints the whole command line as one string, and only a name for a zombie. */
async function namesCluster(pid: number, clusterDir: string): Promise<boolean> {
  const [command, real] = await Promise.all([tellCommand(pid), realpath(clusterDir)]);
  return [clusterDir, real].some((folder) => `${command} `.includes(` -D ${folder} `));
}

/** Returns an empty string if the process has ended. */
async function tellCommand(pid: number): Promise<string> {
  try {
    return (await run("ps", ["-ww", "-o", "command=", "-p", String(pid)])).stdout.trimEnd();
  } catch (error) {
    // `ps` exits with 1 if it finds no process.
    if (error instanceof Error && "code" in error && error.code === 1) return "";
    throw error;
  }
}
