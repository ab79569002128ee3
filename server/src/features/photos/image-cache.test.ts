import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createImageCache, type ImageCache } from "./image-cache.store.ts";

const HOUR_MS = 3_600_000;
const LIMIT = 100_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let reported: Error[];
let open: ImageCache[];
beforeEach(async () => {
  folder = await temporaryFolder();
  reported = [];
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((cache) => cache.close()));
  await folder.remove();
});

function openCache(limitBytes = LIMIT, place = folder.path): ImageCache {
  const report = (error: Error): void => void reported.push(error);
  const cache = createImageCache({ folder: place, limitBytes, report, now: () => new Date() });
  open.push(cache);
  return cache;
}

const pathOf = (name: string): string => join(folder.path, name.slice(0, 2), name);
const usedHoursAgo = (name: string, hours: number): Promise<void> => {
  const at = new Date(Date.now() - hours * HOUR_MS);
  return utimes(pathOf(name), at, at);
};
async function keptNames(): Promise<string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

/** Stores files of 20,000 bytes, least recently used first. */
async function keepAged(cache: ImageCache, names: readonly string[]): Promise<void> {
  await cache.counted();
  for (const name of names) await cache.keep(name, Buffer.alloc(20_000, name));
  await cache.counted();
  for (const [index, name] of names.entries()) await usedHoursAgo(name, 100 - index);
}

describe("the image cache", () => {
  test("returns what it has, and null for what is missing, removed, or truncated", async () => {
    const cache = openCache();
    await cache.keep("aa1", Buffer.from("image"));
    expect(await cache.read("aa1")).toEqual(Buffer.from("image"));
    // Only the server's account may read it.
    expect((await stat(pathOf("aa1"))).mode % 0o1000).toBe(0o600);
    expect((await stat(dirname(pathOf("aa1")))).mode % 0o1000).toBe(0o700);
    await cache.forget("aa1");
    await cache.forget("aa1");
    expect([await cache.read("aa1"), await cache.read("zz9")]).toEqual([null, null]);
    await cache.keep("aa2", Buffer.from("image"));
    await writeFile(pathOf("aa2"), "");
    expect(await cache.read("aa2")).toBeNull();
    expect(reported).toEqual([]);
  });

  test("evicts the least recently used images when full, until a tenth is free", async () => {
    const cache = openCache();
    await keepAged(cache, ["a1", "b1", "c1", "d1", "e1"]);
    await cache.read("a1");
    await cache.keep("f1", Buffer.alloc(1_000));
    await cache.counted();
    expect(await keptNames()).toEqual(["a1", "c1", "d1", "e1", "f1"]);
    expect(await cache.read("a1")).toEqual(Buffer.alloc(20_000, "a1"));
  });

  test("counts existing files at its start, and obeys a smaller limit", async () => {
    await keepAged(openCache(), ["a1", "b1", "c1", "d1"]);
    const smaller = openCache(60_000);
    await smaller.counted();
    expect(await keptNames()).toEqual(["c1", "d1"]);
  });

  test("leaves no temporary file when a write fails, and removes those of a crash", async () => {
    const cache = openCache();
    await cache.counted();
    await mkdir(pathOf("a1"), { recursive: true });
    await writeFile(join(pathOf("a1"), "in-the-way"), "");
    await cache.keep("a1", Buffer.alloc(1_000));
    expect(reported.map(({ message, cause }) => [message, cause])).toEqual([
      ["Failed to cache an image", expect.objectContaining({ syscall: "rename" })],
    ]);
    expect(await keptNames()).toEqual(["in-the-way"]);
    await keepAged(cache, ["b1"]);
    for (const draft of ["b1.old.draft", "b1.new.draft"]) await writeFile(pathOf(draft), Buffer.alloc(9_000));
    await usedHoursAgo("b1.old.draft", 1.1);
    await openCache().counted();
    expect(await keptNames()).toEqual(["b1", "b1.new.draft", "in-the-way"]);
  });

  test("notices what other nodes add to the same folder", async () => {
    const [one, other] = [openCache(), openCache()];
    await keepAged(one, ["a1", "b1", "c1"]);
    await other.keep("d1", Buffer.alloc(38_000));
    await other.counted();
    // By its own count one has stored 66,000 bytes; after a twentieth of the limit it counts again.
    await one.keep("e1", Buffer.alloc(6_000));
    await one.counted();
    expect(await keptNames()).toEqual(["b1", "c1", "d1", "e1"]);
  });

  test("records a use once an hour", async () => {
    const cache = openCache();
    await cache.keep("a1", Buffer.from("image"));
    const timeOf = async (): Promise<number> => (await stat(pathOf("a1"))).mtimeMs;
    await usedHoursAgo("a1", 0.5);
    const before = await timeOf();
    await cache.read("a1");
    expect(await timeOf()).toBe(before);
    await usedHoursAgo("a1", 2);
    await cache.read("a1");
    expect(await timeOf()).toBeGreaterThan(before);
  });

  test("skips what would fill it, and logs what it cannot store", async () => {
    const cache = openCache(1_000);
    await cache.keep("a1", Buffer.alloc(950));
    expect(await keptNames()).toEqual([]);
    await writeFile(join(folder.path, "no-folder"), "");
    const broken = openCache(1_000, join(folder.path, "no-folder"));
    await broken.keep("b1", Buffer.alloc(10));
    expect(await broken.read("b1")).toBeNull();
    await broken.forget("b1");
    await broken.counted();
    expect(reported.map(({ message }) => message).toSorted()).toEqual([
      "Failed to cache an image",
      "Failed to count the cached images",
      "Failed to delete a cached image",
      "Failed to read a cached image",
    ]);
  });
});
