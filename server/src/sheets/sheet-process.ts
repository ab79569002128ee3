import { flushCompileCache } from "node:module";
import { readStandardInput } from "../concurrency/standard-input.ts";
import { readUpload, type Upload, type UploadReading } from "./read-upload.ts";

/*
 * Reads uploads, one at a time. Their bytes come from the standard input. Answers the reading without its parts, then a
 * part for each "next", then null.
 */

export type UploadHead = Omit<Upload, "bytes"> & { length: number };

let parts: Iterator<unknown> = [].values();

async function read({ length, ...about }: UploadHead): Promise<UploadReading> {
  const reading = readUpload({ ...about, bytes: await readStandardInput(length) });
  if (!("parts" in reading)) return reading;
  parts = reading.parts[Symbol.iterator]();
  return { ...reading, parts: [] };
}

process.on("message", (message: UploadHead | "next") => {
  if (message === "next") process.send?.(parts.next().value ?? null);
  else void read(message).then((reading) => process.send?.(reading));
});
process.on("disconnect", () => process.exit());
flushCompileCache();
