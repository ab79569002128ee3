import { execFile } from "node:child_process";
import { readFile, readlink, realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "./embedded-database-error.ts";

/*
 * Which processes work in a cluster. PostgreSQL's working directory is its cluster, but a container's root without
 * SYS_PTRACE may not read that of another account. What everybody may read is the command line:
 *
 * - a postmaster shows how it was started, and ours always with `-D <cluster>`
 * - its children show a title ("postgres: checkpointer"), and belong to where their parent does
 * - a child whose postmaster is dead shows nothing more: it ends by itself in a moment, and until then the careful
 *   answer is that it may be ours
 */

const run = promisify(execFile);

/** Whether a live (not zombie) process of PostgreSQL works in the cluster. */
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

/** PostgreSQL refuses a cluster of another account, so somebody else's processes are not at work in this one. */
async function haveOneOwner(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  return first.uid === second.uid;
}

/** Null where the kernel won't tell. */
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
  const message = await readCommandLine(pid);
  if (!message[0]?.startsWith(CHILD_TITLE)) return isStartedOn(message, clusterDir);
  const { parent } = await readStat(pid);
  const postmaster = await readPostmaster(parent);
  return postmaster === null || isStartedOn(postmaster, clusterDir);
}

async function readCommandLine(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
}

/** Null when the parent is no PostgreSQL: the postmaster died and others inherited its child. */
async function readPostmaster(pid: number): Promise<string[] | null> {
  try {
    return (await readStat(pid)).isPostgres ? await readCommandLine(pid) : null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

async function isStartedOn(message: string[], clusterDir: string): Promise<boolean> {
  const folder = message[message.indexOf("-D") + 1];
  if (!message.includes("-D") || folder === undefined) return false;
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

/** Without /proc (macOS): `ps` shows the words of a command line in one piece, and a zombie without them. */
async function namesCluster(pid: number, clusterDir: string): Promise<boolean> {
  const [command, real] = await Promise.all([tellCommand(pid), realpath(clusterDir)]);
  return [clusterDir, real].some((folder) => `${command} `.includes(` -D ${folder} `));
}

/** Empty when the process has ended. */
async function tellCommand(pid: number): Promise<string> {
  try {
    return (await run("ps", ["-ww", "-o", "command=", "-p", String(pid)])).stdout.trimEnd();
  } catch (error) {
    // The exit code of ps that found nothing.
    if (error instanceof Error && "code" in error && error.code === 1) return "";
    throw error;
  }
}
