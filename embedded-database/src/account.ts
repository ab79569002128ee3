import { readFileSync, statSync, type Stats } from "node:fs";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { codeOf, EmbeddedDatabaseError } from "./embedded-database-error.ts";

/** An account that runs the database processes instead of the application's own. PostgreSQL refuses to run as root. */
export type Account = { name: string; uid: number; gid: number };

/**
 * Chooses the account that runs the database: null is the application's own. For root it is the existing cluster's
 * owner, else `postgres`, else `nobody`. @throws EmbeddedDatabaseError no_account, unsupported_platform
 */
export function chooseAccount(clusterDir: string): Account | null {
  const uid = process.getuid?.();
  if (uid === undefined) {
    throw new EmbeddedDatabaseError("unsupported_platform", "The embedded database runs on Linux and macOS only.");
  }
  if (uid !== 0) return null;
  const accounts = readAccounts();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    const known = accounts.find((account) => account.uid === owner.uid);
    return known ?? { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const named = (name: string): Account | undefined => accounts.find((account) => account.name === name);
  const service = named("postgres") ?? named("nobody");
  if (service) return service;
  const message = "PostgreSQL does not run as root, and this machine has neither a 'postgres' nor a 'nobody' account.";
  throw new EmbeddedDatabaseError("no_account", message);
}

/** Checks that the account is in /etc/passwd, which a new cluster needs. @throws EmbeddedDatabaseError no_account */
export function requirePasswdEntry(account: Account | null): void {
  if (account !== null) return;
  try {
    userInfo();
  } catch (error) {
    const message = `This account (uid ${process.getuid?.()}) has no entry in /etc/passwd, which PostgreSQL needs to make a database.`;
    throw new EmbeddedDatabaseError("no_account", message, { cause: error });
  }
}

/** Whether the permission bits let an account pass through every folder up to and including `path`. */
export function canReach(account: Account, path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const entry = look(folder);
    if (entry !== undefined && !mayEnter(account, entry)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Returns undefined if the path is missing or in a folder this account can't enter; that folder is checked next. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "EACCES") return undefined;
    throw error;
  }
}

/** Whether the digit of the mode that applies to the account has the lowest bit, which allows to enter the folder. */
function mayEnter(account: Account, entry: { uid: number; gid: number; mode: number }): boolean {
  const digit = entry.uid === account.uid ? 2 : entry.gid === account.gid ? 1 : 0;
  return Math.floor(entry.mode / 8 ** digit) % 2 === 1;
}

/** Lists the accounts except root. @throws EmbeddedDatabaseError no_account if the file is missing */
export function readAccounts(file = "/etc/passwd"): Account[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
      .filter((account) => account.name !== "" && account.uid > 0 && Number.isInteger(account.gid));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const message = `PostgreSQL does not run as root, and this machine has no ${file} to find another account in.`;
    throw new EmbeddedDatabaseError("no_account", message, { cause: error });
  }
}
