import { availableParallelism } from "node:os";
import { heavyWork } from "../concurrency/budgets.ts";
import { type Ask, createProcesses } from "../concurrency/processes.ts";
import { createShares } from "../concurrency/shares.ts";
import { refusalOf } from "../http/concurrent-requests.ts";
import { invalidRequest } from "../http/error-answer.ts";
import { badRequest, HttpError } from "../http/http-error.ts";
import { readUpload, type Upload, type UploadReading } from "./read-upload.ts";
import type { FromSheetProcess, UploadHead } from "./sheet-process.ts";

export type SheetReaderOptions = { deadlineMs: number; memoryMb?: number };

/** Reading less takes less than 100 ms, whatever the content. */
const READ_AT_ONCE_BYTES = 8_000;
/**
 * Sheets up to each of these sizes have their own process, so they never wait for a larger one, or for its process to
 * start. Most sheets have a few hundred rows.
 */
const SMALLEST_BYTES = 100_000;
const SMALL_BYTES = 1_000_000;
/** The most that reading a small sheet is charged: what the slowest one takes on an idle server. */
const smallMostMs = (bytes: number) => 50 + bytes / 300;
/** The process of a larger sheet ends after it, so that its memory is free again. */
const KEPT_PROCESS_BYTES = 4 * 1024 * 1024;
/** One processor stays free for requests. */
const PROCESSES = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Enough for any sheet within the limits of the contract. */
const MEMORY_MB = 1_024;
const PATIENCE_MS = 60_000;

const SPLIT_IT = "Split it and upload the parts";
const TOO_SLOW = `Reading the sheet takes too long. ${SPLIT_IT}`;
const TOO_MUCH_MEMORY = `The sheet needs too much memory. ${SPLIT_IT}`;
const ALREADY_READING = "Your other sheets are still being read. Wait for them, then try again";

/** Reads uploads in child processes. People take turns, and each reads one sheet at a time. */
export function createSheetReader({ deadlineMs, memoryMb = MEMORY_MB }: SheetReaderOptions) {
  const common = { waiting: 10, patienceMs: PATIENCE_MS, refuse: refusalOf(ALREADY_READING) };
  const execArgv = [`--max-old-space-size=${memoryMb}`];
  const startProcesses = () => createProcesses(new URL("./sheet-process.ts", import.meta.url), { execArgv });
  const createReader = (total: number) => ({
    shares: createShares({ ...common, total, each: 1 }),
    processes: startProcesses(),
  });
  const readers = { smallest: createReader(1), small: createReader(1), large: createReader(PROCESSES) };
  const readerFor = ({ bytes: { byteLength } }: Upload) => {
    if (byteLength > SMALL_BYTES) return readers.large;
    return byteLength > SMALLEST_BYTES ? readers.small : readers.smallest;
  };

  async function readInProcess(sheet: Upload, gone: AbortSignal): Promise<UploadReading> {
    const { bytes, ...upload } = sheet;
    const { processes } = readerFor(sheet);
    const deadline = AbortSignal.timeout(deadlineMs);
    const isKept = bytes.byteLength <= KEPT_PROCESS_BYTES;
    try {
      const head = { ...upload, length: bytes.byteLength };
      return await processes.run(AbortSignal.any([gone, deadline]), (ask) => receive(ask, head, bytes), isKept);
    } catch (cause) {
      if (gone.aborted) throw new HttpError(408, "timeout", "The client disconnected", { cause });
      if (deadline.aborted) throw new HttpError(413, "too_large", TOO_SLOW, { cause });
      const isOutOfMemory = cause instanceof Error && cause.cause === "SIGABRT";
      if (isOutOfMemory) throw new HttpError(413, "too_large", TOO_MUCH_MEMORY, { cause });
      throw cause;
    }
  }

  return {
    /**
     * Parses and validates an upload, and counts its rows or cards. @throws HttpError 400 if it is invalid, 413 if reading
     * takes too much time or memory, 429 or 503 if too many sheets wait, 408 if the client disconnects (`gone`)
     */
    async read(person: string, upload: Upload, gone: AbortSignal): Promise<{ body: object; count: number }> {
      const { byteLength } = upload.bytes;
      const { shares } = readerFor(upload);
      // On a slow server, small sheets wait for their process and for a processor.
      const mostMs = byteLength <= SMALL_BYTES ? smallMostMs(byteLength) : Infinity;
      const read = () => heavyWork.charge(person, () => readInProcess(upload, gone), mostMs);
      const reading = byteLength <= READ_AT_ONCE_BYTES ? readUpload(upload) : await shares.run(person, read, gone);
      if (reading.kind === "read") {
        const { head, itemsAre, items } = reading;
        return { body: { ...head, [itemsAre]: items }, count: items.length };
      }
      if (reading.kind === "invalid") throw invalidRequest(reading.fields);
      throw badRequest(reading.message);
    },

    close(): void {
      for (const { processes } of Object.values(readers)) processes.close();
    },
  };
}

async function receive(ask: Ask, head: UploadHead, bytes: Uint8Array): Promise<UploadReading> {
  const reading = await ask<FromSheetProcess>(head, [bytes]);
  if (reading === null || Array.isArray(reading)) throw new Error("The process answered items before it read them");
  if (reading.kind !== "read") return reading;
  for (;;) {
    const items = await ask<FromSheetProcess>("next");
    if (!Array.isArray(items)) return reading;
    reading.items.push(...items);
  }
}
