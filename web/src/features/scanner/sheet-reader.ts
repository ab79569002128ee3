import { PARSE_FAILURE_MESSAGE } from "@slabdesk/contract/sheet/csv.ts";
import type { SheetAnswer } from "./sheet.worker.ts";

/** Reads and judges a file in a worker of its own. A file that cannot be read is an answer, with words for staff. */
export async function readSheetFile(file: File): Promise<SheetAnswer> {
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return { ok: false, message: `${PARSE_FAILURE_MESSAGE} The file could not be opened; choose it again.` };
  }
  const worker = new Worker(new URL("./sheet.worker.ts", import.meta.url), { type: "module" });
  return new Promise<SheetAnswer>((resolve, reject) => {
    worker.addEventListener("message", (event: MessageEvent<SheetAnswer>) => resolve(event.data));
    worker.addEventListener("error", (event) => reject(new Error("The sheet worker failed", { cause: event.error })));
    worker.postMessage(bytes, [bytes]);
  }).finally(() => worker.terminate());
}
