import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fromBufferPromise } from "yauzl";
import { describe, expect, test } from "vitest";
import { readZip } from "./testing/read-zip.ts";
import { zipFile, type ZipEntry } from "./zip.file.ts";

const NOW = new Date(2026, 10, 21, 8, 30, 58);

async function* each<T>(entries: Iterable<T>): AsyncGenerator<T> {
  yield* entries;
}

const write = async (entries: Iterable<ZipEntry>): Promise<Buffer> =>
  Buffer.concat(await zipFile(NOW, each(entries)).toArray());

describe("a ZIP file", () => {
  test("contains its entries, as another program reads it", async () => {
    const long = Array.from({ length: 5_000 }, (_, number) => `line ${number} ポケモン\n`);
    const bytes = Buffer.from([0, 255, 1]);
    const file = await write([
      { path: "long.txt", text: long },
      { path: "ポケモン/1.jpg", bytes },
      { path: "none.txt", text: [] },
      { path: "none.jpg", bytes: Buffer.alloc(0) },
    ]);
    expect([...(await readZip(file))].map(([path, content]) => [path, content.toString("latin1")])).toEqual([
      ["long.txt", Buffer.from(long.join("")).toString("latin1")],
      ["ポケモン/1.jpg", bytes.toString("latin1")],
      ["none.txt", ""],
      ["none.jpg", ""],
    ]);
    expect(file.length).toBeLessThan(long.join("").length / 2);
    const zip = await fromBufferPromise(file, { lazyEntries: true });
    for await (const entry of zip.eachEntry())
      expect([
        entry.getLastModDate({ forceDosFormat: true }),
        Math.floor(entry.externalFileAttributes / 0x10000),
      ]).toEqual([NOW, 0o100644]);
  });

  test("may be empty, and may have more than 65,535 entries", async () => {
    expect((await readZip(await write([]))).size).toBe(0);
    const many = Array.from({ length: 65_537 }, (_, number) => ({
      path: `${number}`,
      bytes: Buffer.from([number % 256]),
    }));
    const zip = await fromBufferPromise(await write(many), { lazyEntries: true });
    expect(zip.entryCount).toBe(many.length);
  });

  test("breaks off if an entry or its content does", async () => {
    async function* broken(): AsyncGenerator<string> {
      yield "a";
      throw new Error("The database went away");
    }
    async function* brokenEntries(): AsyncGenerator<ZipEntry> {
      yield { path: "a", text: ["a"] };
      throw new Error("The host went away");
    }
    await expect(write([{ path: "a", text: broken() }])).rejects.toThrow("The database went away");
    await expect(buffer(zipFile(NOW, brokenEntries()))).rejects.toThrow("The host went away");
  });

  test("produces no more than its reader takes, and closes its content when the reader leaves", async () => {
    const piece = Buffer.alloc(250_000);
    let asked = 0;
    let taken = 0;
    let isLeft = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield `${Math.random()}`.repeat(1_000);
      } finally {
        isLeft = true;
      }
    }
    async function* entries(): AsyncGenerator<ZipEntry> {
      for (; asked < 20; asked += 1) yield { path: `${asked}`, bytes: piece };
      yield { path: "endless", text: endless() };
    }
    const body = zipFile(NOW, entries());
    const closed = Promise.withResolvers<void>();
    body.once("close", closed.resolve);
    for await (const bytes of body) {
      taken += bytes.length;
      // An eager reader would start now.
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      expect(asked).toBeLessThanOrEqual(taken / piece.length + 2);
      if (taken > 21 * piece.length) break;
    }
    if (!body.closed) await closed.promise;
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect([asked, isLeft]).toEqual([20, true]);
  });
});
