import { readFileSync, statSync, type Stats } from "node:fs";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { codeOf, EmbeddedDatabaseError, OR_DATABASE_URL } from "./embedded-database-error.ts";

/** An account the database processes run as instead of the server's own. PostgreSQL refuses to run as root. */
export type Account = { name: string; uid: number; gid: number };

/** Accounts that exist to run services, in the order of preference. */
const SERVICE_ACCOUNTS = ["postgres", "nobody"];

/**
 * Whom the database runs as: null is the server's own account. As root it is the owner of the existing cluster, else
 * `postgres`, else `nobody`.
 *
 * @throws EmbeddedDatabaseError no_account, unsupported_platform
 */
export function chooseAccount(clusterDir: string): Account | null {
  const uid = process.getuid?.();
  if (uid === undefined) {
    throw new EmbeddedDatabaseError(
      "unsupported_platform",
      `The embedded database runs on Linux and macOS. Here, set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  if (uid !== 0) return null;
  const accounts = readAccounts();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    const known = accounts.find((account) => account.uid === owner.uid);
    return known ?? { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const service = SERVICE_ACCOUNTS.map((name) => accounts.find((account) => account.name === name)).find(Boolean);
  if (service) return service;
  throw new EmbeddedDatabaseError(
    "no_account",
    "PostgreSQL does not run as root and this machine has neither a 'postgres' nor a 'nobody' account. " +
      `Start the server as a normal user ${OR_DATABASE_URL}.`,
  );
}

/**
 * A new cluster can only be made by an account that /etc/passwd knows; containers often run as one it doesn't.
 *
 * @throws EmbeddedDatabaseError no_account
 */
export function requirePasswdEntry(account: Account | null): void {
  if (account !== null) return;
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedDatabaseError(
      "no_account",
      `The account this server runs as (uid ${process.getuid?.()}) has no entry in /etc/passwd, which PostgreSQL needs to ` +
        `make its data folder. Add one, start the server as another account, ${OR_DATABASE_URL}.`,
      { cause: error },
    );
  }
}

/** Whether an account may pass through every folder up to and including `path`, by the permission bits. */
export function canReach(account: Account, path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const entry = look(folder);
    if (entry !== undefined && !mayEnter(account, entry)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Nothing for what is not there, or in a folder this account may not pass: that folder itself is looked at next. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "EACCES") return undefined;
    throw error;
  }
}

const EXECUTE = 1;

function mayEnter(account: Account, entry: { uid: number; gid: number; mode: number }): boolean {
  const digit = entry.uid === account.uid ? 2 : entry.gid === account.gid ? 1 : 0;
  return Math.floor(entry.mode / 8 ** digit) % 2 === EXECUTE;
}

/**
 * The accounts of this machine but root.
 *
 * @throws EmbeddedDatabaseError no_account when there is no list of them, as in containers made from nothing
 */
export function readAccounts(file = "/etc/passwd"): Account[] {
  return readPasswd(file)
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.name !== "" && account.uid > 0 && Number.isInteger(account.gid));
}

function readPasswd(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new EmbeddedDatabaseError(
      "no_account",
      `PostgreSQL does not run as root and this machine has no ${file} to find another account in. ` +
        `Start the server as a normal user that it names ${OR_DATABASE_URL}.`,
      { cause: error },
    );
  }
}
