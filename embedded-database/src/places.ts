import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { canReach, chooseAccount, type Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedDatabaseError, explainFileError } from "./embedded-database-error.ts";
import { LOCK_FILE } from "./server-lock.ts";

export const CLUSTER = "postgres";
export const SOCKET = "run";
export const LOG_FILE = "postgres.log";

export type Place = { dataDir: string; clusterDir: string; account: Account | null };

/**
 * Chooses the data folder: the requested one, or one in `systemDir` if root's database account can't reach that. The
 * result never changes. @throws EmbeddedDatabaseError no_rights if an existing database can't be reached any more
 */
export function findPlace(askedDir: string, systemDir: string): Place {
  const asked = placeOf(resolve(askedDir));
  if (asked.account === null || statSync(asked.dataDir, { throwIfNoEntry: false })?.isFile()) return asked;
  // The hash of the requested real path keeps two checkouts from sharing a folder.
  const hash = createHash("sha256").update(realPathOf(asked.dataDir)).digest("hex").slice(0, 12);
  const moved = placeOf(join(systemDir, `${basename(asked.dataDir)}-${hash}`));
  if (existsSync(asked.clusterDir)) {
    if (canReach(asked.account, asked.dataDir)) return asked;
    const message =
      `The database in ${asked.clusterDir} belongs to account ${asked.account.name}, which may not pass through a folder ` +
      "above it. chmod o+x allows that.";
    throw new EmbeddedDatabaseError("no_rights", message);
  }
  return existsSync(moved.clusterDir) || !canReach(asked.account, asked.dataDir) ? moved : asked;
}

/**
 * Creates the data folder if it is missing. Refuses one with other content than a lock or the application's
 * `ownEntries`. @throws EmbeddedDatabaseError foreign_folder, no_rights, disk_full
 */
export async function prepareDataDir({ dataDir, account }: Place, ownEntries: readonly string[]): Promise<void> {
  try {
    makeFolders(dataDir, account);
    const entries = (await readdir(dataDir)).filter((name) => name !== "lost+found" && !name.startsWith("."));
    if (entries.includes(LOCK_FILE) || entries.every((name) => ownEntries.includes(name))) return;
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
  throw new EmbeddedDatabaseError("foreign_folder", `${dataDir} holds files of something else.`);
}

/** Whether the data folder has a cluster. @throws EmbeddedDatabaseError foreign_folder, other_version */
export function hasCluster({ clusterDir }: Place, { version }: Binaries): boolean {
  if (!existsSync(clusterDir)) return false;
  const versionFile = join(clusterDir, "PG_VERSION");
  if (!existsSync(versionFile)) {
    throw new EmbeddedDatabaseError("foreign_folder", `${clusterDir} is not a PostgreSQL database.`);
  }
  const found = readFileSync(versionFile, "utf8").trim();
  const major = version.split(".")[0];
  if (found === major) return true;
  const message = `PostgreSQL ${found} made the database in ${clusterDir}, and this is PostgreSQL ${major}.`;
  throw new EmbeddedDatabaseError("other_version", message);
}

const SOCKET_ADDRESS_BYTES = 107;
const LINK_PREFIX = "postgres-";

/** The socket folder's path, or a temporary link if it is too long. @throws EmbeddedDatabaseError path_too_long */
export async function nameSocketFolder(dataDir: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const own = join(dataDir, SOCKET);
  if (fitsAddress(own)) return { path: own, remove: async () => {} };
  const base = [tmpdir(), "/tmp"].find(
    (folder) => existsSync(folder) && fitsAddress(join(folder, `${LINK_PREFIX}XXXXXX`, SOCKET)),
  );
  if (base === undefined) {
    throw new EmbeddedDatabaseError("path_too_long", `The path ${dataDir} is too long for a database socket.`);
  }
  const folder = await mkdtemp(join(base, LINK_PREFIX));
  await symlink(own, join(folder, SOCKET));
  await chmod(folder, 0o711);
  return { path: join(folder, SOCKET), remove: () => rm(folder, { recursive: true, force: true }) };
}

function fitsAddress(folder: string): boolean {
  return Buffer.byteLength(`${folder}/.s.PGSQL.5432`) <= SOCKET_ADDRESS_BYTES;
}

function placeOf(dataDir: string): Place {
  const clusterDir = join(dataDir, CLUSTER);
  return { dataDir, clusterDir, account: chooseAccount(clusterDir) };
}

function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path));
}

/** Makes each folder passable for the account, even under a strict umask. The account doesn't need to list them. */
function makeFolders(dataDir: string, account: Account | null): void {
  if (account === null) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return;
  }
  const umask = process.umask(0o022);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } finally {
    process.umask(umask);
  }
}
