import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file in a ZIP file: text, which is compressed while streaming, or bytes, which are stored (for images). */
export type ZipEntry =
  | { path: string; text: Iterable<string> | AsyncIterable<string> }
  | { path: string; bytes: Uint8Array };

/**
 * Streams a ZIP file (APPNOTE 6.3, with ZIP64 if needed). Takes the next entry when the reader has consumed the previous
 * ones, and keeps only their directory records in memory. If `entries` throws, the stream fails.
 */
export function zipFile(modifiedAt: Date, entries: AsyncIterable<ZipEntry>): Readable {
  return Readable.from(pieces(modifiedAt, entries), { objectMode: false });
}

const SIGNATURE = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  directoryLine: 0x02014b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
  end: 0x06054b50,
};
const VERSION = { plain: 20, with64Bits: 45, ofUnix: 0x0300 };
const NAME_IS_UTF8 = 0x0800;
/** CRC and sizes follow the contents, because they aren't known before. */
const HAS_DESCRIPTOR = 0x0008;
const DEFLATED = 8;
/** Unix mode 0644, regular file. */
const ATTRIBUTES = 0o100644 * 0x10000;
/** Marks a number that is stored elsewhere as 64 bits. */
const ELSEWHERE = { count: 0xffff, size: 0xffffffff };

/** Half the time of the default level for a tenth more bytes of a workbook. */
const COMPRESSION = { level: 3, chunkSize: 65_536 };
/** Characters to compress at a time. */
const LONG_ENOUGH = 16_000;

type Contents = { sum: number; written: number; size: number };

async function* pieces(modifiedAt: Date, entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const isText = "text" in entry;
    const form = numbers(
      [2, NAME_IS_UTF8 + (isText ? HAS_DESCRIPTOR : 0)],
      [2, isText ? DEFLATED : 0],
      ...dosTime(modifiedAt),
    );
    const name = Buffer.from(entry.path);
    const size = isText ? 0 : entry.bytes.length;
    const contents: Contents = { sum: isText ? 0 : crc32(entry.bytes), written: size, size };
    const start = offset;
    for await (const piece of entryPieces(entry, name, form, contents)) {
      offset += piece.length;
      yield piece;
    }
    directory.push(directoryLine(name, form, contents, start));
  }
  yield* directory;
  const size = directory.reduce((sum, line) => sum + line.length, 0);
  yield end(directory.length, size, offset);
}

/** Yields the header and the contents. Updates the CRC and sizes of a text in `contents`. */
async function* entryPieces(entry: ZipEntry, name: Buffer, form: Buffer, contents: Contents) {
  const start = numbers([4, SIGNATURE.localHeader], [2, VERSION.plain]);
  yield Buffer.concat([start, form, sizesOf(contents), numbers([2, name.length], [2, 0]), name]);
  if ("bytes" in entry) yield entry.bytes;
  else {
    yield* deflated(entry.text, contents);
    yield Buffer.concat([numbers([4, SIGNATURE.descriptor]), sizesOf(contents)]);
  }
}

/** Joins short texts. A workbook can have 130,000 of them for its links, and compressing each piece takes about 50 μs. */
async function* joined(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const text of texts) {
    piece += text;
    if (piece.length < LONG_ENOUGH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** Yields the compressed text. Updates the CRC and sizes in `contents`. */
async function* deflated(text: Iterable<string> | AsyncIterable<string>, contents: Contents): AsyncGenerator<Buffer> {
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const piece of joined(text)) {
      const bytes = Buffer.from(piece);
      contents.sum = crc32(bytes, contents.sum);
      contents.size += bytes.length;
      yield bytes;
    }
  }
  // The callback can ignore the error: an error in the text also fails the loop below.
  const compressed: AsyncIterable<Buffer> = pipeline(measured(), createDeflateRaw(COMPRESSION), () => undefined);
  for await (const bytes of compressed) {
    contents.written += bytes.length;
    yield bytes;
  }
}

/** @throws RangeError if the entry has 4 GB or more, which spreadsheet programs can't read */
function sizesOf({ sum, written, size }: Contents): Buffer {
  if (Math.max(written, size) >= ELSEWHERE.size) throw new RangeError("A part of the ZIP file has more than 4 GB");
  return numbers([4, sum], [4, written], [4, size]);
}

/** An entry of the central directory at the end of the file, about seventy bytes. */
function directoryLine(name: Buffer, form: Buffer, contents: Contents, start: number): Buffer {
  const isFar = start >= ELSEWHERE.size;
  const version = isFar ? VERSION.with64Bits : VERSION.plain;
  return Buffer.concat([
    numbers([4, SIGNATURE.directoryLine], [2, VERSION.ofUnix + VERSION.with64Bits], [2, version]),
    form,
    sizesOf(contents),
    numbers([2, name.length], [2, isFar ? 12 : 0], [2, 0], [2, 0], [2, 0], [4, ATTRIBUTES]),
    numbers([4, isFar ? ELSEWHERE.size : start]),
    name,
    isFar ? numbers([2, 1], [2, 8], [8, start]) : numbers(),
  ]);
}

/** The end of the file, after a directory of `count` entries that begins at `start`. */
function end(count: number, size: number, start: number): Buffer {
  const isLarge = count >= ELSEWHERE.count || start + size >= ELSEWHERE.size;
  const versions = [[2, VERSION.ofUnix + VERSION.with64Bits] as const, [2, VERSION.with64Bits] as const];
  const entries = Math.min(count, ELSEWHERE.count);
  return Buffer.concat([
    isLarge
      ? numbers([4, SIGNATURE.end64], [8, 44], ...versions, [8, 0], [8, count], [8, count], [8, size], [8, start])
      : numbers(),
    isLarge ? numbers([4, SIGNATURE.locator64], [4, 0], [8, start + size], [4, 1]) : numbers(),
    numbers([4, SIGNATURE.end], [2, 0], [2, 0], [2, entries], [2, entries]),
    numbers([4, Math.min(size, ELSEWHERE.size)], [4, Math.min(start, ELSEWHERE.size)], [2, 0]),
  ]);
}

type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** Concatenates numbers in little-endian order. */
function numbers(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, length);
    at += length;
  }
  return bytes;
}

/** Returns the local time in the ZIP format, in steps of two seconds. */
function dosTime(time: Date): [clock: Field, day: Field] {
  const [hours, minutes, steps] = [time.getHours(), time.getMinutes(), Math.floor(time.getSeconds() / 2)];
  const [years, month, day] = [time.getFullYear() - 1980, time.getMonth() + 1, time.getDate()];
  return [
    [2, (hours * 64 + minutes) * 32 + steps],
    [2, (years * 16 + month) * 32 + day],
  ];
}
