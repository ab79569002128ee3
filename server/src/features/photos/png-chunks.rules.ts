import { inflateSync } from "node:zlib";

/* A PNG's compressed text and color profile can expand a thousandfold, so they are checked before a decoder reads them. */

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
