import { addAbortListener } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { codeOf } from "@slabdesk/embedded-database/embedded-database-error.ts";
import { heavyWork } from "../concurrency/budgets.ts";
import { createShares } from "../concurrency/shares.ts";
import { refusalOf } from "../http/concurrent-requests.ts";
import { invalidRequest } from "../http/error-answer.ts";
import { badRequest, HttpError } from "../http/http-error.ts";
import { readUpload, type Upload, type UploadReading } from "./read-upload.ts";
import type { FromSheetWorker, ToSheetWorker } from "./sheet-worker.ts";

export type SheetReaderOptions = { deadlineMs: number; memoryMb?: number };

/** Reading less takes a few milliseconds, whatever the content. */
const READ_AT_ONCE_BYTES = 8_000;
/** Such sheets have a thread of their own, because a larger one may take until its deadline. */
const SMALL_BYTES = 1_000_000;
/** The thread of a larger sheet ends after it, so that its memory is free again. */
const KEPT_THREAD_BYTES = 4 * 1024 * 1024;
/** One processor stays free for requests. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Enough for any sheet within the limits of the contract. */
const MEMORY_MB = 1_024;
const PATIENCE_MS = 60_000;

const SPLIT_IT = "Split it and upload the parts";
const TOO_SLOW = `Reading the sheet takes too long. ${SPLIT_IT}`;
const TOO_MUCH_MEMORY = `The sheet needs too much memory. ${SPLIT_IT}`;
const ALREADY_READING = "Your other sheets are still being read. Wait for them, then try again";

/** Reads uploads in threads, off the event loop. People take turns, so nobody waits for someone else's sheets. */
export function createSheetReader({ deadlineMs, memoryMb = MEMORY_MB }: SheetReaderOptions) {
  const refuse = refusalOf(ALREADY_READING);
  const common = { waiting: 10, patienceMs: PATIENCE_MS, refuse };
  const large = createShares({ ...common, total: THREADS, each: 1 });
  const small = createShares({ ...common, total: 1, each: 1 });
  const idle: Worker[] = [];
  const threads = new Set<Worker>();

  function startThread(): Worker {
    const thread = new Worker(new URL("./sheet-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread.unref();
    threads.add(thread);
    thread.once("exit", () => threads.delete(thread));
    return thread;
  }

  async function readInThread(upload: Upload, gone: AbortSignal): Promise<UploadReading> {
    const thread = idle.pop() ?? startThread();
    const deadline = AbortSignal.timeout(deadlineMs);
    const isKept = upload.bytes.byteLength <= KEPT_THREAD_BYTES;
    try {
      const reading = await receive(thread, upload, AbortSignal.any([gone, deadline]));
      if (isKept) idle.push(thread);
      else await thread.terminate();
      return reading;
    } catch (cause) {
      await thread.terminate();
      if (gone.aborted) throw new HttpError(408, "timeout", "The client disconnected", { cause });
      if (deadline.aborted) throw new HttpError(413, "too_large", TOO_SLOW, { cause });
      const isOutOfMemory = codeOf(cause) === "ERR_WORKER_OUT_OF_MEMORY";
      if (isOutOfMemory) throw new HttpError(413, "too_large", TOO_MUCH_MEMORY, { cause });
      throw cause;
    }
  }

  return {
    /**
     * Parses and validates an upload. @throws HttpError 400 if it is invalid, 413 if reading takes too much time or
     * memory, 429 or 503 if too many sheets wait, 408 if the client disconnects (`gone`)
     */
    async read(person: string, upload: Upload, gone: AbortSignal): Promise<object> {
      const { byteLength } = upload.bytes;
      const shares = byteLength <= SMALL_BYTES ? small : large;
      const read = () => heavyWork.charge(person, () => readInThread(upload, gone));
      const reading = byteLength <= READ_AT_ONCE_BYTES ? readUpload(upload) : await shares.run(person, read, gone);
      if (reading.kind === "read") return { ...reading.head, [reading.itemsAre]: reading.items };
      if (reading.kind === "invalid") throw invalidRequest(reading.fields);
      throw badRequest(reading.message);
    },

    async close(): Promise<void> {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

async function receive(thread: Worker, upload: Upload, stop: AbortSignal): Promise<UploadReading> {
  stop.throwIfAborted();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const listener = addAbortListener(stop, () => fail(stop.reason));
  thread.on("error", fail);
  const ask = (message: ToSheetWorker, transferred: ArrayBuffer[] = []): Promise<FromSheetWorker> => {
    const answer = new Promise<FromSheetWorker>((resolve) => {
      thread.once("message", (received: FromSheetWorker) => resolve(received));
    });
    thread.postMessage(message, transferred);
    return Promise.race([answer, failed]);
  };
  try {
    const { buffer } = upload.bytes;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === upload.bytes.byteLength;
    const reading = await ask(upload, isWhole ? [buffer] : []);
    if (reading === null || Array.isArray(reading)) throw new Error("The thread answered items before it read them");
    if (reading.kind !== "read") return reading;
    for (;;) {
      const items = await ask("next");
      if (!Array.isArray(items)) return reading;
      reading.items.push(...items);
    }
  } finally {
    listener[Symbol.dispose]();
    thread.off("error", fail);
  }
}
