import { inflateSync } from "node:zlib";

/*
 * Parts of an image that can keep a decoder busy long before it checks its deadline. A PNG's compressed text and color
 * profile, which can expand a thousandfold, are removed. An image with too many of the other parts is refused.
 */

/** Real JPEGs have about ten scans. In the largest image, each takes 20 ms. */
const MOST_SCANS = 100;
/** The decoding time of a WebP grows with the square of the number of frames. */
const MOST_FRAMES = 1_000;
/** EXIF data has five directories, and real images have it once or twice. Circular directories are read many times. */
const MOST_DIRECTORIES = 10;
const DIRECTORY_POINTERS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005]);

/** Whether a JPEG has too many scans. A scan's data can't contain a marker. */
export const hasManyScans = (jpeg: Buffer): boolean => placesOf("\xff\xda", jpeg, MOST_SCANS).length > MOST_SCANS;

/** Whether an image has too many WebP frames, EXIF blocks, or EXIF directories. */
export function isHeavy(image: Buffer): boolean {
  if (placesOf("ANMF", image, MOST_FRAMES).length > MOST_FRAMES) return true;
  const exifs = ["II*\0", "MM\0*"].flatMap((start) => placesOf(start, image, MOST_DIRECTORIES));
  return exifs.length > MOST_DIRECTORIES || exifs.some((at) => hasManyDirectories(image.subarray(at)));
}

/** Finds a part in an image. Stops after one occurrence more than `most`. */
function placesOf(part: string, image: Buffer, most: number): number[] {
  const places: number[] = [];
  for (let at = -1; places.length <= most && (at = image.indexOf(part, at + 1, "latin1")) >= 0;) places.push(at);
  return places;
}

/** `exif` starts with the TIFF header; other data may follow it. */
function hasManyDirectories(exif: Buffer): boolean {
  const number = (at: number, bytes: 2 | 4): number => {
    if (at + bytes > exif.length) return 0;
    return exif[0] === 0x49 ? exif.readUIntLE(at, bytes) : exif.readUIntBE(at, bytes);
  };
  const starts = [number(4, 4)];
  for (const [index, start] of starts.entries()) {
    if (starts.length > MOST_DIRECTORIES) return true;
    const end = start + 2 + 12 * number(start, 2);
    for (let entry = start + 2; entry < end; entry += 12)
      if (DIRECTORY_POINTERS.has(number(entry, 2))) starts.push(number(entry + 8, 4));
    // The first directory is followed by the thumbnail's.
    if (index === 0 && number(end, 4) > 0) starts.push(number(end, 4));
  }
  return false;
}

const typeOf = (name: string): number => Buffer.from(name, "latin1").readUInt32BE();

/** Text that no image needs. zTXt and iTXt may be compressed. */
const TEXT_TYPES: ReadonlySet<number> = new Set(["tEXt", "zTXt", "iTXt"].map(typeOf));
const PROFILE_TYPE = typeOf("iCCP");
/** Color profiles of cameras and displays have less than 1 MB. */
const LARGEST_PROFILE_BYTES = 4 * 1024 * 1024;
/** Real images have one for each few kilobytes. */
const MOST_CHUNKS = 20_000;
const SIGNATURE_BYTES = 8;
/** Length and type before the data. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;

/**
 * Returns a PNG without its text and without color profiles that are too large, broken or repeated. The pixels stay the
 * same. A truncated end is kept, so that the decoder refuses it.
 * @throws Error if it has more than 20,000 chunks, which take seconds to read
 */
export function withoutHeavyChunks(png: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptFrom = 0;
  let hasProfile = false;
  let count = 0;
  for (let start = SIGNATURE_BYTES; start + HEAD_BYTES <= png.length;) {
    if ((count += 1) > MOST_CHUNKS) throw new Error("The PNG has too many chunks");
    const data = start + HEAD_BYTES;
    const end = data + png.readUInt32BE(start) + CHECKSUM_BYTES;
    const type = png.readUInt32BE(start + 4);
    const isProfile = type === PROFILE_TYPE;
    const isSpare = isProfile && (hasProfile || !isSmallProfile(png.subarray(data, end - CHECKSUM_BYTES)));
    if (TEXT_TYPES.has(type) || isSpare) {
      if (keptFrom < start) kept.push(png.subarray(keptFrom, start));
      keptFrom = end;
    }
    hasProfile ||= isProfile;
    start = end;
  }
  return keptFrom === 0 ? png : Buffer.concat([...kept, png.subarray(keptFrom)]);
}

/** The data is a name, a zero, the compression method, and the compressed profile. */
function isSmallProfile(data: Buffer): boolean {
  try {
    inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: LARGEST_PROFILE_BYTES });
    return true;
  } catch {
    // Too large or not compressed correctly.
    return false;
  }
}
