import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../http/http-error.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import { imagesZip } from "./images-zip.file.ts";
import { readZip } from "./testing/read-zip.ts";
import { SAMPLE_ROWS, samplePages } from "./testing/sample-session.ts";

const NOW = new Date("2026-11-21T08:00:00Z");
const VIEWER = { id: "somebody", role: "user" } as const;

/** Each image has its own bytes; the back of row 1 is missing. */
async function get(_viewer: unknown, rowId: string, side: string) {
  if (rowId === "1" && side === "back") throw new HttpError(502, "unavailable", "Its host has no such image (403)");
  const contentType = rowId === "2" ? "image/webp" : "image/jpeg";
  return { bytes: Buffer.from(`${rowId} ${side}`), contentType };
}

describe("the images of a session", () => {
  test("are named by certificate and side, each certificate once, with a list of missing ones", async () => {
    const entries = await readZip(await buffer(imagesZip(VIEWER, samplePages(), { get }, NOW)));
    expect([...entries].map(([name, bytes]) => [name, bytes.toString()]).slice(0, 2)).toEqual([
      ["01020688_front.jpg", "1 front"],
      ["1401019289294_front.webp", "2 front"],
    ]);
    expect(entries.get("missing.txt")?.toString().split("\r\n").toSorted()).toEqual([
      "",
      "01020688_back: Its host has no such image (403) (https://images.example/cert/1/back.jpg)",
      "1401019289294_back: the grading company has no image of it",
      "C1240631_back: the grading company has no image of it",
      "C1240631_front: the grading company has no image of it",
    ]);
    expect(entries.size).toBe(3);
  });

  test("of two companies with the same number are separate", async () => {
    async function* pages(): AsyncGenerator<StreamedRow[]> {
      yield SAMPLE_ROWS.slice(0, 2).map(({ row, cells }) => ({ row: { ...row, certNumber: "12345678" }, cells }));
    }
    const entries = await readZip(await buffer(imagesZip(VIEWER, pages(), { get }, NOW)));
    expect([...entries.keys()].slice(0, 2)).toEqual(["12345678_front.jpg", "CGC_12345678_front.webp"]);
  });

  test("break off at an error that is not an image's", async () => {
    const broken = async () => {
      throw new Error("The database went away");
    };
    await expect(buffer(imagesZip(VIEWER, samplePages(), { get: broken }, NOW))).rejects.toThrow(
      "The database went away",
    );
  });

  test("are no longer fetched when the reader has left", async () => {
    let asked = 0;
    const large = Buffer.alloc(1_000_000);
    const ended = Promise.withResolvers<void>();
    async function* pages(): AsyncGenerator<StreamedRow[]> {
      try {
        for (let number = 0; number < 1_000; number += 1)
          yield SAMPLE_ROWS.slice(0, 1).map(({ row, cells }) => ({
            row: { ...row, certNumber: String(number) },
            cells,
          }));
      } finally {
        ended.resolve();
      }
    }
    const counting = async () => {
      asked += 1;
      return { bytes: large, contentType: "image/jpeg" };
    };
    const body = imagesZip(VIEWER, pages(), { get: counting }, NOW);
    for await (const _piece of body) break;
    await ended.promise;
    expect(asked).toBeLessThan(20);
  });
});
