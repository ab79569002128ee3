import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Takes the entries of a ZIP file one after the other. Each call ends when the reader of the file has kept up. */
export type ZipWriter = {
  /** Text that is written while it is produced, compressed. */
  addText: (path: string, pieces: Iterable<string> | AsyncIterable<string>) => Promise<void>;
  /** Bytes as they are: pictures are compressed already. */
  addBytes: (path: string, bytes: Buffer) => Promise<void>;
};

/**
 * A ZIP file that is written while it is read. When `fill` breaks, the file breaks; when whoever reads it leaves,
 * `fill` is left at its next entry.
 */
export function zipFile(modifiedAt: Date, fill: (zip: ZipWriter) => Promise<void>): Readable {
  const zip = new ZipFile();
  const { outputStream: body } = zip;
  if (!(body instanceof PassThrough)) throw new TypeError("yazl writes into something that is no PassThrough");
  const gone = new AbortController();
  body.once("close", () => gone.abort());
  zip.once("error", (error: Error) => body.destroy(error));
  const stopIfGone = (): void => {
    if (body.destroyed) gone.abort();
    gone.signal.throwIfAborted();
  };
  const writer: ZipWriter = {
    async addText(path, pieces) {
      stopIfGone();
      const entry = Readable.from(pieces, { objectMode: false });
      zip.addReadStream(entry, path, { mtime: modifiedAt });
      try {
        await finished(entry, { signal: gone.signal });
      } finally {
        entry.destroy();
      }
    },
    async addBytes(path, bytes) {
      stopIfGone();
      zip.addBuffer(bytes, path, { mtime: modifiedAt, compress: false });
      if (body.writableNeedDrain) await once(body, "drain", { signal: gone.signal });
    },
  };
  fill(writer).then(
    () => zip.end(),
    (error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return body;
}
