/*
 * Parts of an image that can fill the memory. A PNG's text and color profile, which can expand a thousandfold, are
 * removed. An image with too many pixels is refused.
 */

/** The limit for all frames together. The largest slab scans have 27 megapixels (TAG, 4389 by 6092); phones take 50. */
export const LARGEST_MEGAPIXELS = 60;
/** The decoder's buffers grow with the width, or the height if the image is rotated: 8 GB for 30,000,000 by 2 pixels. */
export const LARGEST_SIDE = 20_000;

/** The items of an AVIF photo. Other items are composed of images and can use the same one many times. */
const AVIF_ITEMS: ReadonlySet<string> = new Set(["av01", "Exif", "mime", "uri "]);
const MOST_BOXES = 100;

/** The pixels of an AVIF's image and its transparency, which can be larger; Infinity if it has other images, too. */
export function pixelsOf(avif: Buffer): number {
  const [items, sizes] = [placesOf("infe", avif, MOST_BOXES), placesOf("ispe", avif, MOST_BOXES)];
  // The name of a box is followed by a version number; the same letters in a word are followed by another letter.
  const isBox = (at: number): boolean => avif.readUInt8(at + 4) < 0x20;
  const typeAt = (at: number): number => at + (avif[at + 4] === 3 ? 14 : 12);
  const isOther = (at: number): boolean => !AVIF_ITEMS.has(avif.toString("latin1", typeAt(at), typeAt(at) + 4));
  // A length of 1 means that a longer length follows, which moves the rest.
  const areaAt = (at: number): number => {
    const [width, height] = [avif.readUInt32BE(at + 8), avif.readUInt32BE(at + 12)];
    return avif.readUInt32BE(at - 4) === 1 || Math.max(width, height) > LARGEST_SIDE ? Infinity : width * height;
  };
  if (Math.max(items.length, sizes.length) > MOST_BOXES || items.filter(isBox).some(isOther)) return Infinity;
  return sizes.filter(isBox).reduce((sum, at) => sum + areaAt(at), 0);
}

/** Whether a color profile has lookup tables, which can take minutes and gigabytes to apply. Cameras rarely use them. */
export const hasTables = (profile: Buffer): boolean => /[ABD]2[ABD]\d/.test(profile.toString("latin1", 128, 1_400));

/** Finds a part in an image. Stops after one occurrence more than `most`. */
function placesOf(part: string, image: Buffer, most: number): number[] {
  const places: number[] = [];
  for (let at = -1; places.length <= most && (at = image.indexOf(part, at + 1, "latin1")) >= 0;) places.push(at);
  return places;
}

/** Text, which no image needs, and the color profile, because photos are rarely PNGs. Both may be compressed. */
const REMOVED_TYPES: ReadonlySet<string> = new Set(["tEXt", "zTXt", "iTXt", "iCCP"]);
const SIGNATURE_BYTES = 8;
/** Length and type before the data. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** Returns a PNG without its text and color profile. Keeps a truncated end, so that the decoder refuses it. */
export function withoutHeavyChunks(png: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptFrom = 0;
  for (let start = SIGNATURE_BYTES; start + HEAD_BYTES <= png.length;) {
    const end = start + HEAD_BYTES + png.readUInt32BE(start) + CHECKSUM_BYTES;
    if (REMOVED_TYPES.has(png.toString("latin1", start + 4, start + 8))) {
      if (keptFrom < start) kept.push(png.subarray(keptFrom, start));
      keptFrom = end;
    }
    start = end;
  }
  return keptFrom === 0 ? png : Buffer.concat([...kept, png.subarray(keptFrom)]);
}
