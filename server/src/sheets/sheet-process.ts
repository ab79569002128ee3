import { flushCompileCache } from "node:module";
import { readUpload, type Upload, type UploadedItem, type UploadReading } from "./read-upload.ts";
import { slicesOf } from "./slices.ts";

/*
 * Reads uploads, one at a time. Their bytes come from the standard input. Answers the reading without items, then some
 * items for each "next", then null.
 */

export type UploadHead = Omit<Upload, "bytes"> & { length: number };
export type FromSheetProcess = UploadReading | UploadedItem[] | null;

let head: UploadHead | null = null;
let parts: Buffer[] = [];
let slices = slicesOf<UploadedItem>([]);

const answer = (message: FromSheetProcess) => process.send?.(message);

function readWhenWhole(): void {
  if (head === null || parts.reduce((sum, part) => sum + part.length, 0) < head.length) return;
  const upload = { ...head, bytes: Buffer.concat(parts) };
  [head, parts] = [null, []];
  const reading = readUpload(upload);
  slices = slicesOf(reading.kind === "read" ? reading.items : []);
  answer(reading.kind === "read" ? { ...reading, items: [] } : reading);
}

process.stdin.on("data", (part) => {
  parts.push(Buffer.from(part));
  readWhenWhole();
});
process.on("message", (message: UploadHead | "next") => {
  if (message === "next") return void answer(slices.next().value ?? null);
  head = message;
  readWhenWhole();
});
process.on("disconnect", () => process.exit());
flushCompileCache();
