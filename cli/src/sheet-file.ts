import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import type { RunOptions } from "./arguments.ts";
import { CommandError, EXIT, systemCodeOf } from "./command-error.ts";

/** A sheet as stored on disk. The server parses it like a browser upload. */
export type SheetFile = { fileName: string; bytes: Buffer<ArrayBuffer> };

/** The server's limit. It closes the connection on a larger sheet before it can respond. */
const LARGEST_SHEET_BYTES = 64 * 1024 * 1024;
const EXCEL_STARTS = ["504b0304", "d0cf11e0"];

/** `path` may be `-` for stdin. @throws CommandError if the file can't be read or isn't a CSV file */
export async function readSheet(path: string, stdin: Readable, signal: AbortSignal): Promise<SheetFile> {
  const name = path === "-" ? "stdin" : path;
  const bytes = await readAll(name, path === "-" ? stdin : createReadStream(path), signal);
  if (bytes.length === 0) throw new CommandError(EXIT.refused, `${name} is empty`);
  if (EXCEL_STARTS.includes(bytes.subarray(0, 4).toString("hex"))) {
    const what = 'is an Excel file. Save it as "CSV UTF-8" first, or upload it in the browser';
    throw new CommandError(EXIT.refused, `${name} ${what}`);
  }
  return { fileName: path === "-" ? "stdin.csv" : basename(path), bytes };
}

async function readAll(name: string, stream: Readable, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of addAbortSignal(signal, stream)) {
      if (!Buffer.isBuffer(piece)) throw new TypeError("Expected a stream of bytes");
      pieces.push(piece);
      length += piece.length;
      if (length > LARGEST_SHEET_BYTES) {
        throw new CommandError(EXIT.refused, `${name} is larger than 64 MB, the server's limit. Split it`);
      }
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (signal.aborted || code === null) throw error;
    throw new CommandError(EXIT.refused, `Cannot read ${name}: ${READ_FAILURES[code] ?? code}`, { cause: error });
  }
  return Buffer.concat(pieces);
}

const READ_FAILURES: Partial<Record<string, string>> = {
  ENOENT: "the file doesn't exist",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
};

/** The `Idempotency-Key` of a run: the same for the same sheet and options. `again` creates a unique key. */
export function runKey({ fileName, bytes }: SheetFile, run: RunOptions, again: boolean): string {
  const { mode, includePricing, reuseKnown, acceptCompanies, sessionName } = run;
  const about = [fileName, mode, includePricing, reuseKnown, acceptCompanies, sessionName, again ? randomUUID() : null];
  return `cli-${createHash("sha256").update(JSON.stringify(about)).update("\n").update(bytes).digest("hex")}`;
}
