import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";

const MEMORY_DISK = "/dev/shm";
/** Three times the most that the tests store at once. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Calls `use` with the environment variables for a temporary folder in memory, or with none if there is no room. The
 * tests create and delete thousands of database files, which takes an eighth of their processor time on ext4.
 *
 * @template T
 * @param {(env: Record<string, string>) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withTempFolder(use) {
  // Each clone has one folder, so that a run removes what a killed run left.
  const folder = join(MEMORY_DISK, `slabdesk-${createHash("sha256").update(ROOT).digest("hex").slice(0, 8)}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  if (!hasRoom()) return use({});
  mkdirSync(folder);
  // As root, the databases run as another account, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  try {
    return await use({ TMPDIR: folder });
  } finally {
    remove();
  }
}

function hasRoom() {
  if (!existsSync(MEMORY_DISK)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return Math.min(bavail * bsize, process.availableMemory?.() ?? freemem()) > NEEDED_BYTES;
}
