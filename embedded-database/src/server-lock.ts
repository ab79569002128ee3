import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedDatabaseError, explainFileError, forbiddenMessage } from "./embedded-database-error.ts";

/** The lock file of a data folder in use. Its presence also marks the folder as ours. */
export const LOCK_FILE = "server.lock";
const PID_FILE = "server.pid";

const SQLITE_BUSY = 5;
const SQLITE_UNWRITABLE = new Set([8, 14]);

/**
 * Locks the data folder for this process until the returned function is called. The kernel releases SQLite's file lock
 * however the process ends (decision 0011). @throws EmbeddedDatabaseError data_folder_in_use, no_rights, disk_full
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = takeLock(dataDir);
  const pidFile = join(dataDir, PID_FILE);
  try {
    writeFileSync(pidFile, `${process.pid}\n`);
    giveToOwner(dataDir, [join(dataDir, LOCK_FILE), pidFile]);
  } catch (error) {
    lock.close();
    throw explainFileError(error, dataDir);
  }
  return () => lock.close();
}

function takeLock(dataDir: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, LOCK_FILE), { timeout: 0 });
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    const errcode = error instanceof Error && "errcode" in error ? error.errcode : undefined;
    if (errcode === SQLITE_BUSY) throw inUse(dataDir, error);
    if (typeof errcode === "number" && SQLITE_UNWRITABLE.has(errcode)) {
      throw new EmbeddedDatabaseError("no_rights", forbiddenMessage(dataDir), { cause: error });
    }
    throw error;
  }
}

function inUse(dataDir: string, cause: unknown): EmbeddedDatabaseError {
  const message = `Another server (process ${readPid(dataDir)}) uses the data folder ${dataDir}.`;
  return new EmbeddedDatabaseError("data_folder_in_use", message, { cause });
}

function readPid(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, PID_FILE), "utf8").trim();
  } catch {
    return "unknown";
  }
}

/** Root gives the files to the folder's owner, so that the owner can still lock the folder. */
function giveToOwner(dataDir: string, files: string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  for (const file of files) chownSync(file, uid, gid);
}
