import { availableParallelism } from "node:os";
import { ReadableStream } from "node:stream/web";
import { heavyWork } from "../concurrency/budgets.ts";
import { type Ask, createProcesses } from "../concurrency/processes.ts";
import { createShares } from "../concurrency/shares.ts";
import { refusalOf } from "../http/concurrent-requests.ts";
import { invalidRequest } from "../http/error-answer.ts";
import { badRequest, HttpError } from "../http/http-error.ts";
import {
  type Problem,
  readUpload,
  type SheetSummary,
  type Upload,
  type UploadedItem,
  type UploadReading,
} from "./read-upload.ts";
import type { UploadHead } from "./sheet-process.ts";

export type SheetReaderOptions = { deadlineMs: number; memoryMb?: number };

/** The rows of a new session, as JSON chunks that arrive while they are stored. */
export type UploadedRows = SheetSummary & { chunks: AsyncIterable<string> };

/** The body of an upload and its number of rows or cards. `rows`: those of a new session, which `body` doesn't have. */
type ReadUpload = { body: object; count: number; rows?: UploadedRows };

type Reading =
  | Problem
  | { kind: "sheet"; head: object; sheet: SheetSummary; parts: AsyncIterable<string> }
  | { kind: "items"; head: object; itemsAre: "rows" | "cards"; parts: AsyncIterable<UploadedItem[]> };

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

  /** Calls `onRead` when the upload is read. Resolves when all its parts have been received. */
  async function readInProcess(person: string, sheet: Upload, gone: AbortSignal, onRead: (reading: Reading) => void) {
    const { bytes, ...upload } = sheet;
    const { byteLength: length } = bytes;
    const deadline = AbortSignal.timeout(deadlineMs);
    const failureOf = (cause: unknown): unknown => {
      if (gone.aborted) return new HttpError(408, "timeout", "The client disconnected", { cause });
      if (deadline.aborted) return new HttpError(413, "too_large", TOO_SLOW, { cause });
      const isOutOfMemory = cause instanceof Error && cause.cause === "SIGABRT";
      return isOutOfMemory ? new HttpError(413, "too_large", TOO_MUCH_MEMORY, { cause }) : cause;
    };
    // On a slow server, small sheets wait for their process and for a processor.
    const mostMs = length <= SMALL_BYTES ? smallMostMs(length) : Infinity;
    const receive = async (ask: Ask): Promise<void> => {
      const head: UploadHead = { ...upload, length };
      const reading = await heavyWork.charge(person, () => ask<UploadReading>(head, [bytes]), mostMs);
      if (reading.kind === "sheet") {
        const { parts, received } = streamParts<string>(ask, failureOf);
        onRead({ ...reading, parts });
        await received;
      } else if (reading.kind === "items") {
        const { parts, received } = streamParts<UploadedItem[]>(ask, failureOf);
        onRead({ ...reading, parts });
        await received;
      } else onRead(reading);
    };
    const signal = AbortSignal.any([gone, deadline]);
    try {
      await readerFor(sheet).processes.run(signal, receive, length <= KEPT_PROCESS_BYTES);
    } catch (cause) {
      throw failureOf(cause);
    }
  }

  async function readAny(person: string, upload: Upload, gone: AbortSignal): Promise<Reading> {
    if (upload.bytes.byteLength <= READ_AT_ONCE_BYTES) return readAtOnce(upload);
    const { promise, resolve, reject } = Promise.withResolvers<Reading>();
    const read = () => readInProcess(person, upload, gone, resolve);
    // A failure after the reading ends the stream of its parts.
    readerFor(upload).shares.run(person, read, gone).catch(reject);
    return promise;
  }

  return {
    /**
     * Parses and validates an upload. The rows of a new session arrive while they are stored; if their process fails,
     * reading them throws. @throws HttpError 400 if it is invalid, 413 if reading takes too much time or memory, 429 or 503
     * if too many sheets wait, 408 if the client disconnects (`gone`)
     */
    async read(person: string, upload: Upload, gone: AbortSignal): Promise<ReadUpload> {
      const reading = await readAny(person, upload, gone);
      if (reading.kind === "invalid") throw invalidRequest(reading.fields);
      if (reading.kind === "unreadable") throw badRequest(reading.message);
      if (reading.kind === "sheet") {
        const { head, sheet, parts } = reading;
        return { body: head, count: sheet.count, rows: { ...sheet, chunks: parts } };
      }
      const items: UploadedItem[] = [];
      for await (const part of reading.parts) items.push(...part);
      return { body: { ...reading.head, [reading.itemsAre]: items }, count: items.length };
    },

    close(): void {
      for (const { processes } of Object.values(readers)) processes.close();
    },
  };
}

function readAtOnce(upload: Upload): Reading {
  const reading = readUpload(upload);
  if (reading.kind === "sheet") return { ...reading, parts: ReadableStream.from(reading.parts) };
  return reading.kind === "items" ? { ...reading, parts: ReadableStream.from(reading.parts) } : reading;
}

/** Takes all parts from the process at its own pace. `received` resolves with the last one. Cancelling `parts` rejects it. */
function streamParts<Part>(ask: Ask, failureOf: (cause: unknown) => unknown) {
  const { promise: received, resolve, reject } = Promise.withResolvers<void>();
  const parts = new ReadableStream<Part>({
    async start(controller) {
      try {
        for (;;) {
          const part = await ask<Part | null>("next");
          if (part === null) break;
          controller.enqueue(part);
        }
        controller.close();
        resolve();
      } catch (cause) {
        controller.error(failureOf(cause));
        reject(cause);
      }
    },
  });
  return { parts, received };
}
