import { parentPort } from "node:worker_threads";
import { lowerOwnPriority } from "../priority.ts";
import { readUpload, type Upload, type UploadedItem, type UploadReading } from "./read-upload.ts";
import { slicesOf } from "./slices.ts";

/* Reads uploads, one at a time. Answers the reading without items, then some items for each "next", then null. */

export type ToSheetWorker = Upload | "next";
export type FromSheetWorker = UploadReading | UploadedItem[] | null;

const port = parentPort;
if (!port) throw new Error("This module runs in a worker thread");

lowerOwnPriority();

let slices = slicesOf<UploadedItem>([]);

port.on("message", (message: ToSheetWorker) => {
  port.postMessage((message === "next" ? (slices.next().value ?? null) : begin(message)) satisfies FromSheetWorker);
});

function begin(upload: Upload): UploadReading {
  const reading = readUpload(upload);
  if (reading.kind !== "read") return reading;
  slices = slicesOf(reading.items);
  return { ...reading, items: [] };
}
