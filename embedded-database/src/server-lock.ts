import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedDatabaseError, explainFileError, fileError } from "./embedded-database-error.ts";

/** The lock file of a data folder in use. Its presence also marks the folder as ours. */
export const LOCK_FILE = "server.lock";
const PID_FILE = "server.pid";

const SQLITE_BUSY = 5;
const SQLITE_UNWRITABLE = new Set<unknown>([8, 14]);

/**
 * Locks the data folder for this process until the returned function is called. The kernel releases SQLite's file lock
 * however the process ends (decision 0011). @throws EmbeddedDatabaseError data_folder_in_use, no_rights, disk_full
 */
export function lockDataDir(dataDir: string): () => void {
  const [lockFile, pidFile] = [join(dataDir, LOCK_FILE), join(dataDir, PID_FILE)];
  const lock = new DatabaseSync(lockFile, { timeout: 0, open: false });
  try {
    lock.open();
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    writeFileSync(pidFile, `${process.pid}\n`);
    // Root gives the files to the folder's owner, so that the owner can still lock the folder.
    const { uid, gid } = statSync(dataDir);
    if (process.getuid?.() === 0) for (const file of [lockFile, pidFile]) chownSync(file, uid, gid);
    return () => lock.close();
  } catch (error) {
    if (lock.isOpen) lock.close();
    const errcode = error instanceof Error && "errcode" in error ? error.errcode : undefined;
    if (errcode === SQLITE_BUSY) {
      const message = `Another server (process ${readPid(dataDir)}) uses the data folder ${dataDir}.`;
      throw new EmbeddedDatabaseError("data_folder_in_use", message, { cause: error });
    }
    if (SQLITE_UNWRITABLE.has(errcode)) throw fileError("no_rights", dataDir, error);
    throw explainFileError(error, dataDir);
  }
}

function readPid(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, PID_FILE), "utf8").trim();
  } catch {
    return "unknown";
  }
}
