import { flushCompileCache } from "node:module";
import { readStandardInput } from "../concurrency/standard-input.ts";
import { readUpload, type Upload, type UploadedItem, type UploadReading } from "./read-upload.ts";
import { slicesOf } from "./slices.ts";

/*
 * Reads uploads, one at a time. Their bytes come from the standard input. Answers the reading without items, then some
 * items for each "next", then null.
 */

export type UploadHead = Omit<Upload, "bytes"> & { length: number };
export type FromSheetProcess = UploadReading | UploadedItem[] | null;

let slices = slicesOf<UploadedItem>([]);

const answer = (message: FromSheetProcess) => process.send?.(message);

async function read({ length, ...about }: UploadHead): Promise<void> {
  const reading = readUpload({ ...about, bytes: await readStandardInput(length) });
  slices = slicesOf(reading.kind === "read" ? reading.items : []);
  answer(reading.kind === "read" ? { ...reading, items: [] } : reading);
}

process.on("message", (message: UploadHead | "next") => {
  if (message === "next") answer(slices.next().value ?? null);
  else void read(message);
});
process.on("disconnect", () => process.exit());
flushCompileCache();
