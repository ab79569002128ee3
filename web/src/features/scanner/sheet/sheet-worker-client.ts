import type { SheetAnswer, SheetWork } from "./sheet-work.ts";

export type SheetCalls = {
  [Name in keyof SheetWork]: (...input: Parameters<SheetWork[Name]>) => ReturnType<SheetWork[Name]>;
};

/** One call; the worker replies on the port sent with it. */
export type SheetCall<Name extends keyof SheetCalls = keyof SheetCalls> = {
  name: Name;
  input: Parameters<SheetCalls[Name]>;
};
export type SheetReply<Name extends keyof SheetCalls> =
  | { ok: true; answer: Awaited<ReturnType<SheetCalls[Name]>> }
  | { ok: false; cause: unknown };

/** A file that takes longer won't finish: it was crafted to hang the reader, or the machine is overloaded. */
const READ_TIMEOUT_MS = 120_000;
const TOO_LONG_MESSAGE =
  "The file takes too long to read. Save the sheet with the numbers as CSV and choose that file.";

/** The worker of one sheet. It starts with the first call. `close` rejects open calls with an AbortError. */
export class SheetWorkerClient {
  #worker: Worker | null = null;
  readonly #open = new Set<(reason: Error) => void>();

  async read(...input: Parameters<SheetCalls["read"]>): Promise<SheetAnswer> {
    const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<SheetAnswer>();
    const timer = setTimeout(() => giveUp({ kind: "refused", message: TOO_LONG_MESSAGE }), READ_TIMEOUT_MS);
    try {
      return await Promise.race([this.ask("read", ...input), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls the worker. @throws Error if the call fails, DOMException (AbortError) if the client is closed. */
  async ask<Name extends keyof SheetCalls>(name: Name, ...input: Parameters<SheetCalls[Name]>) {
    const worker = (this.#worker ??= this.#start());
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<SheetCalls[Name]>>>();
    this.#open.add(reject);
    port1.addEventListener("message", ({ data }: MessageEvent<SheetReply<Name>>) => {
      this.#open.delete(reject);
      port1.close();
      if (data.ok) resolve(data.answer);
      else reject(new Error("The sheet worker failed", { cause: data.cause }));
    });
    port1.start();
    worker.postMessage({ name, input } satisfies SheetCall<Name>, [port2]);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./sheet.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("error", ({ error }) =>
      this.#rejectAll(new Error("The sheet worker failed", { cause: error })),
    );
    return worker;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#rejectAll(new DOMException("Another sheet was chosen", "AbortError"));
  }

  #rejectAll(reason: Error): void {
    for (const reject of this.#open) reject(reason);
    this.#open.clear();
  }
}
