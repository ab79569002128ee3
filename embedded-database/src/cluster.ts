import { execFile, type SpawnOptions } from "node:child_process";
import { chown, mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { requirePasswdEntry, type Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { codeOf, EmbeddedDatabaseError, fileError } from "./embedded-database-error.ts";
import { CLUSTER, type Place } from "./places.ts";

const TORN_PREFIX = `${CLUSTER}.new-`;

/** With less free space, a failed start is blamed on the disk: one file of the write-ahead log takes 16 MB. */
const ROOM_TO_START_BYTES = 48 * 1024 * 1024;

/** C.UTF-8 covers the letters of every language; systems without it use C. Case folding is PostgreSQL's own. */
const CHARACTER_TYPES = ["C.UTF-8", "C"];

const run = promisify(execFile);

/** Removes incomplete clusters, left by an application that was killed while it created one. The caller must hold the lock. */
export async function removeTornClusters(dataDir: string): Promise<void> {
  const torn = (await readdir(dataDir)).filter((name) => name.startsWith(TORN_PREFIX));
  for (const name of torn) await rm(join(dataDir, name), { recursive: true, force: true });
}

/** Creates a complete cluster or none. @throws EmbeddedDatabaseError no_account, no_rights, disk_full, start_failed */
export async function createCluster(place: Place, binaries: Binaries, superuser: string): Promise<void> {
  requirePasswdEntry(place.account);
  const torn = join(place.dataDir, `${TORN_PREFIX}${process.pid}`);
  await makeOwnedFolder(torn, place.account);
  try {
    await initdb(torn, place, binaries, superuser);
    await rename(torn, place.clusterDir);
    await syncFolder(place.dataDir);
  } catch (error) {
    await rm(torn, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a folder that only the account can enter. @throws EmbeddedDatabaseError no_rights */
export async function makeOwnedFolder(folder: string, account: Account | null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account === null) return;
  try {
    await chown(folder, account.uid, account.gid);
  } catch (error) {
    if (codeOf(error) === "EPERM") throw mayNotChangeAccount(account, error);
    throw error;
  }
}

/** Process options for the database's programs: they run as its account and without the application's environment. */
export function runAs(account: Account | null): Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> {
  const own = { cwd: "/", env: {} };
  return account === null ? own : { ...own, uid: account.uid, gid: account.gid };
}

/** Explains why a PostgreSQL program failed. What it `said` is used if the cause is unknown. */
export async function explainFailure(place: Place, said: string, cause: unknown): Promise<EmbeddedDatabaseError> {
  if (place.account !== null && codeOf(cause) === "EPERM") return mayNotChangeAccount(place.account, cause);
  const disk = await statfs(place.dataDir);
  if (disk.bavail * disk.bsize < ROOM_TO_START_BYTES) return fileError("disk_full", place.dataDir, cause);
  const message = `The embedded PostgreSQL in ${place.dataDir} did not start. It said:\n${said.trim() || "(nothing)"}`;
  return new EmbeddedDatabaseError("start_failed", message, { cause });
}

function mayNotChangeAccount(account: Account, cause: unknown): EmbeddedDatabaseError {
  const message =
    `PostgreSQL does not run as root, and this root account may not start programs as ${account.name}. ` +
    "A container needs SETUID and CHOWN for that.";
  return new EmbeddedDatabaseError("no_rights", message, { cause });
}

async function initdb(folder: string, place: Place, binaries: Binaries, superuser: string): Promise<void> {
  const program = join(binaries.nativeDir, "bin", "initdb");
  const options = [
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--text-search-config=simple",
  ];
  let failure: unknown;
  for (const characterType of CHARACTER_TYPES) {
    try {
      await run(program, [...options, `--lc-ctype=${characterType}`], runAs(place.account));
      return;
    } catch (error) {
      failure ??= error;
    }
  }
  const said = failure instanceof Error && "stderr" in failure ? String(failure.stderr) : String(failure);
  throw await explainFailure(place, said, failure);
}

/** Syncs the folder so that the new name survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
