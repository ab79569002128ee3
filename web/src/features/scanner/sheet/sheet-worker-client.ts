import type { SheetCall, SheetCalls, SheetReply } from "./sheet-calls.ts";
import type { SheetAnswer } from "./sheet-work.ts";

/** A file that is not read by then would not be read at all: it is made to keep a reader busy, or the machine is full. */
const READ_TIMEOUT_MS = 120_000;
const TOO_LONG_MESSAGE =
  "The file takes too long to read. Save the sheet with the numbers as CSV and choose that file.";

/**
 * The page's side of the work on one sheet. The worker is started by the first call and has the sheet until `close`;
 * a call that is then open throws an AbortError.
 */
export class SheetWorkerClient {
  #worker: Worker | null = null;
  readonly #open = new Set<(reason: DOMException) => void>();

  /** As `SheetWork.read`, within bounds. */
  async read(...input: Parameters<SheetCalls["read"]>): Promise<SheetAnswer> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<SheetAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ kind: "refused", message: TOO_LONG_MESSAGE }), READ_TIMEOUT_MS);
    });
    try {
      return await Promise.race([this.ask("read", ...input), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Has the worker do something. @throws Error when it fails, DOMException (AbortError) when the desk is closed */
  ask<Name extends keyof SheetCalls>(
    name: Name,
    ...input: Parameters<SheetCalls[Name]>
  ): Promise<Awaited<ReturnType<SheetCalls[Name]>>> {
    const worker = (this.#worker ??= new Worker(new URL("../sheet.worker.ts", import.meta.url), { type: "module" }));
    const { port1, port2 } = new MessageChannel();
    return new Promise<Awaited<ReturnType<SheetCalls[Name]>>>((resolve, reject) => {
      this.#open.add(reject);
      const end = (): void => {
        this.#open.delete(reject);
        worker.removeEventListener("error", onError);
        port1.close();
      };
      const onError = (event: ErrorEvent): void => {
        end();
        reject(new Error("The sheet worker failed", { cause: event.error }));
      };
      worker.addEventListener("error", onError);
      port1.addEventListener("message", (event: MessageEvent<SheetReply<Name>>) => {
        end();
        if (event.data.ok) resolve(event.data.answer);
        else reject(new Error("The sheet worker failed", { cause: event.data.cause }));
      });
      port1.start();
      worker.postMessage({ name, input } satisfies SheetCall<Name>, [port2]);
    });
  }

  /** Gives the sheet up. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const reject of this.#open) reject(new DOMException("Another sheet was chosen", "AbortError"));
    this.#open.clear();
  }
}
