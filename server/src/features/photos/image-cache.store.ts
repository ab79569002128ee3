import { randomUUID } from "node:crypto";
import { mkdir, open, opendir, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessFailed } from "@slabdesk/embedded-database/embedded-database-error.ts";
import type { Context } from "../../context.ts";

/*
 * A least-recently-used cache of images on disk with a size limit. A file's modification time is its last use. The
 * total size is counted in the background at startup and updated when this node adds files. Files that other nodes
 * add to the folder are only included in the next count. A count runs after each twentieth of the limit is added, so
 * the folder exceeds the limit only slightly.
 */

export type ImageCache = ReturnType<typeof createImageCache>;

type ImageCacheParts = Pick<Context, "report" | "now"> & { folder: string; limitBytes: number };

/** A file's last use is updated at most once in this time, so that scrolling a table doesn't cause writes. */
const NOTED_EVERY_MS = 3_600_000;
/** The fraction of the limit that is left after a cleanup, so that not every new image causes one. */
const FULL_AGAIN = 0.9;
const COUNT_AFTER = 1 / 20;
/** The suffix of a file that is being written. Drafts older than OLD_DRAFT_MS were left by a crashed node. */
const DRAFT = ".draft";
const OLD_DRAFT_MS = 3_600_000;

type KeptFile = { path: string; size: number; usedAtMs: number };

export function createImageCache({ folder, limitBytes, report, now }: ImageCacheParts) {
  let total = 0;
  let uncounted = 0;
  let closed = false;
  let counting: Promise<unknown> | null = null;
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), name);

  function orReport<T>(failure: string, work: Promise<T>): Promise<T | null> {
    return work.catch((cause: unknown) => {
      report(new Error(failure, { cause }));
      return null;
    });
  }

  function count(): void {
    if (counting || closed) return;
    uncounted = 0;
    counting = orReport("Failed to count the cached images", countAndShrink()).finally(() => {
      counting = null;
    });
  }

  async function countAndShrink(): Promise<void> {
    const kept: KeptFile[] = [];
    for await (const file of filesIn(folder)) {
      if (closed) return;
      const isOldDraft = file.path.endsWith(DRAFT) && now().getTime() - file.usedAtMs > OLD_DRAFT_MS;
      if (isOldDraft) await ifThere(unlink(file.path));
      else kept.push(file);
    }
    let size = kept.reduce((sum, file) => sum + file.size, 0);
    // Files written during the count may be counted twice. This only makes the next count start sooner.
    total = size + uncounted;
    if (size <= limitBytes) return;
    for (const file of kept.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (closed || size <= limitBytes * FULL_AGAIN) return;
      await ifThere(unlink(file.path));
      size -= file.size;
      total -= file.size;
    }
  }

  count();
  return {
    /** Reads a file and marks it as used. Returns null if it isn't cached or can't be read; reports failures. */
    async read(name: string): Promise<Buffer | null> {
      const bytes = await orReport("Failed to read a cached image", readAndNote(pathOf(name), now()));
      // The file is empty if the power failed between the write and the rename.
      return bytes && bytes.length > 0 ? bytes : null;
    },

    /** Writes a file unless it is too large. Reports failures and doesn't throw; the image can be created again. */
    async keep(name: string, bytes: Buffer): Promise<void> {
      if (bytes.length > limitBytes * FULL_AGAIN) return;
      const written = writeWhole(pathOf(name), bytes).then(() => bytes.length);
      const added = await orReport("Failed to cache an image", written);
      if (added === null) return;
      total += added;
      uncounted += added;
      if (total > limitBytes || uncounted > limitBytes * COUNT_AFTER) count();
    },

    async forget(name: string): Promise<void> {
      await orReport("Failed to delete a cached image", ifThere(unlink(pathOf(name))));
    },

    async counted(): Promise<void> {
      await counting;
    },

    /** Stops the running count. Files can still be written; they are counted at the next startup. */
    async close(): Promise<void> {
      closed = true;
      await counting;
    },
  };
}

/** Lists all files of the cache, including drafts. Skips files that disappear during the listing. */
async function* filesIn(folder: string): AsyncGenerator<KeptFile> {
  for await (const entry of (await ifThere(opendir(folder))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else {
      const found = await ifThere(stat(path));
      if (found) yield { path, size: found.size, usedAtMs: found.mtimeMs };
    }
  }
}

async function readAndNote(path: string, now: Date): Promise<Buffer | null> {
  const file = await ifThere(open(path));
  if (!file) return null;
  try {
    const { mtimeMs } = await file.stat();
    if (now.getTime() - mtimeMs > NOTED_EVERY_MS) await file.utimes(now, now);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Writes a draft and renames it, so that a partial file is never served. If this fails, deletes the draft. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}${DRAFT}`;
  try {
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await ifThere(unlink(draft)).catch((second: unknown) => {
      throw new AggregateError([error, second], "Failed to write the file and to delete its draft", { cause: error });
    });
    throw error;
  }
}

/** Returns the result of a file operation. Null if the file doesn't exist, because other nodes may delete files. */
const ifThere = <T>(asked: Promise<T>): Promise<T | null> => unlessFailed(["ENOENT"], null, () => asked);
