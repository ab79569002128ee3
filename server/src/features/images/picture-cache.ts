import { randomUUID } from "node:crypto";
import { mkdir, open, opendir, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/*
 * Pictures on disk, within a limit. A file's time of change says when it was last used. How much there is, is counted at
 * the start, beside the work, and from then on kept by addition. What other nodes put into the same folder is not seen
 * until the next count, which comes after every twentieth of the limit, so the folder stays within a few parts of it.
 */

export type PictureCache = {
  /** A file that is kept, or null. What is used is kept longer. A failure is reported: the picture can be made again. */
  read(name: string): Promise<Buffer | null>;
  /** Keeps a file if it can; a failure is reported, as the picture is in hand and can be made again. */
  keep(name: string, bytes: Buffer): Promise<void>;
  /** Forgets a file; one that is not there is forgotten already. A failure is reported. */
  forget(name: string): Promise<void>;
  /** Resolves when no count is under way. */
  counted(): Promise<void>;
  /** Ends the count under way; what comes now is still kept, and counted at the next start. */
  close(): Promise<void>;
};

export type PictureCacheOptions = {
  folder: string;
  limitBytes: number;
  report: (error: Error) => void;
  now: () => Date;
};

/** A use is noted once in this time: a table that is scrolled writes nothing. */
const NOTED_EVERY_MS = 3_600_000;
/** How full the cache is after the oldest were let go, so that this is not to be done for every picture. */
const FULL_AGAIN = 0.9;
const COUNT_AFTER = 1 / 20;
/** Ends the name of a file that is being written. One this old is nobody's any more: its node died over it. */
const DRAFT = ".draft";
const OLD_DRAFT_MS = 3_600_000;

type KeptFile = { path: string; size: number; usedAtMs: number };

export function createPictureCache({ folder, limitBytes, report, now }: PictureCacheOptions): PictureCache {
  let total = 0;
  let uncounted = 0;
  let closed = false;
  let counting: Promise<void> | null = null;
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), name);

  function count(): void {
    if (counting || closed) return;
    uncounted = 0;
    counting = countAndShrink()
      .catch((error: unknown) => report(new Error("The kept pictures could not be counted", { cause: error })))
      .finally(() => {
        counting = null;
      });
  }

  async function countAndShrink(): Promise<void> {
    const sizes: Pick<KeptFile, "size" | "usedAtMs">[] = [];
    for await (const { path, size, usedAtMs } of filesIn(folder)) {
      if (closed) return;
      if (path.endsWith(DRAFT) && now().getTime() - usedAtMs > OLD_DRAFT_MS) {
        await ifThere(unlink(path));
        continue;
      }
      sizes.push({ size, usedAtMs });
    }
    const found = sum(sizes);
    // What came meanwhile may have been met or not: counted twice, it brings the next count sooner and no harm.
    total = found + uncounted;
    if (found <= limitBytes) return;
    const goes = oldestOf(sizes, found - limitBytes * FULL_AGAIN);
    for await (const { path, size, usedAtMs } of filesIn(folder)) {
      if (closed) return;
      if (usedAtMs > goes.untilMs) continue;
      await ifThere(unlink(path));
      total -= size;
    }
  }

  count();
  return {
    async read(name) {
      try {
        const bytes = await readAndNote(pathOf(name), now());
        // Torn by a power cut between writing and renaming.
        return bytes && bytes.length > 0 ? bytes : null;
      } catch (error) {
        report(new Error("A kept picture could not be read", { cause: error }));
        return null;
      }
    },
    async keep(name, bytes) {
      if (bytes.length > limitBytes * FULL_AGAIN) return;
      try {
        await writeWhole(pathOf(name), bytes);
      } catch (error) {
        report(new Error("A picture could not be kept", { cause: error }));
        return;
      }
      total += bytes.length;
      uncounted += bytes.length;
      if (total > limitBytes || uncounted > limitBytes * COUNT_AFTER) count();
    },
    async forget(name) {
      try {
        await ifThere(unlink(pathOf(name)));
      } catch (error) {
        report(new Error("A kept picture could not be let go", { cause: error }));
      }
    },
    async counted() {
      await counting;
    },
    async close() {
      closed = true;
      await counting;
    },
  };
}

/** Until when files were last used that have to go for so many bytes. */
function oldestOf(files: readonly Pick<KeptFile, "size" | "usedAtMs">[], bytes: number): { untilMs: number } {
  let left = bytes;
  let untilMs = 0;
  for (const { size, usedAtMs } of files.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (left <= 0) break;
    left -= size;
    untilMs = usedAtMs;
  }
  return { untilMs };
}

function sum(files: readonly Pick<KeptFile, "size">[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0);
}

/** All files of the cache, drafts included. One that vanishes meanwhile is left out. */
async function* filesIn(folder: string): AsyncGenerator<KeptFile> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else {
      const found = await ifThere(stat(path));
      if (found) yield { path, size: found.size, usedAtMs: found.mtimeMs };
    }
  }
}

async function* entriesOf(folder: string) {
  const entries = await ifThere(opendir(folder));
  if (entries) yield* entries;
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

/** Written beside and renamed, so that a torn file is never served. What fails leaves nothing: a full disk has to get free again. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}${DRAFT}`;
  try {
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await ifThere(unlink(draft)).catch((second: unknown) => {
      throw new AggregateError([error, second], "Neither could the file be written nor its draft be removed", {
        cause: error,
      });
    });
    throw error;
  }
}

/** What is asked of a file, or null when it is not there: another node may let it go at any time. */
async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
