import sharp, { type Sharp } from "sharp";
import { atMost } from "./at-most.ts";

/*
 * The one place where pictures are decoded. What somebody else's host or a person sends is a picture by its content, never
 * by its name or its header: its first bytes must be those of a format of this list, the decoder must agree, and only
 * these formats' decoders exist in this process. Everything else (SVG, PDF, text …) is no picture.
 */

type Format = "jpeg" | "png" | "webp" | "gif" | "avif";

sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
    "VipsForeignLoadHeifBuffer",
  ],
});
// No picture is decoded twice in a row; the memory is better used otherwise.
sharp.cache(false);

/** All frames together. The largest scans of slabs have 27 million pixels (TAG, 4389 by 6092), telephones take 50. */
export const LARGEST_MEGAPIXELS = 60;
const LARGEST_PIXELS = LARGEST_MEGAPIXELS * 1_000_000;
/** Decoding is what costs processor time and memory: more at once would be no faster. */
const inTurn = atMost(2);
const LONGEST_DECODING_S = 30;
const PHOTO_PIXELS_A_SIDE = 2400;

/** What bytes are. `too_many_pixels` are those of all frames. */
export type Judged =
  | { kind: "picture"; contentType: string; width: number; height: number }
  | { kind: "no_picture"; cause?: unknown }
  | { kind: "too_many_pixels" };

/** The pixels that a head promises are counted here, so that they can be told from a broken head. */
const HEAD_ONLY = { limitInputPixels: false };

/** Judges bytes by their first ones and by what the decoder reads of their head; nothing is decoded. */
export async function judgePicture(bytes: Buffer): Promise<Judged> {
  const format = formatOf(bytes);
  if (format === null) return { kind: "no_picture" };
  try {
    const { mediaType, width, height, pages = 1 } = await sharp(bytes, HEAD_ONLY).metadata();
    if (mediaType !== `image/${format}`) return { kind: "no_picture" };
    if (width * height * pages > LARGEST_PIXELS) return { kind: "too_many_pixels" };
    return { kind: "picture", contentType: mediaType, width, height };
  } catch (error) {
    return { kind: "no_picture", cause: error };
  }
}

/** A smaller copy, upright. JPEG is decoded at the next larger eighth of its size alone. @throws when the bytes are broken */
export function smallWebp(bytes: Buffer, width: number): Promise<Buffer> {
  return inTurn(() =>
    opened(bytes).autoOrient().resize({ width, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer(),
  );
}

/** The same picture as JPEG. @throws when the bytes are broken */
export function asJpeg(bytes: Buffer): Promise<Buffer> {
  return inTurn(() => opened(bytes).flatten({ background: "white" }).jpeg({ quality: 80 }).toBuffer());
}

/**
 * A photo as it is kept: upright, at most 2400 pixels a side, a JPEG without anything beside the picture, so that nobody
 * learns from it where and with what it was taken. @throws when the bytes are broken
 */
export function plainPhoto(bytes: Buffer): Promise<Buffer> {
  return inTurn(() =>
    opened(bytes)
      .autoOrient()
      .resize({ width: PHOTO_PIXELS_A_SIDE, height: PHOTO_PIXELS_A_SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .jpeg({ quality: 85 })
      .toBuffer(),
  );
}

/** The size and the brightness of 16 by 16 fields. @throws when the bytes are broken */
export async function impressionOf(bytes: Buffer): Promise<{ width: number; height: number; fields: Buffer }> {
  const { width, height } = await sharp(bytes).metadata();
  const fields = await inTurn<Buffer>(() =>
    opened(bytes).flatten({ background: "white" }).greyscale().resize(FIELDS, FIELDS, { fit: "fill" }).raw().toBuffer(),
  );
  return { width, height, fields };
}
const FIELDS = 16;

function opened(bytes: Buffer): Sharp {
  // A picture that ends too early is broken; one with a flaw in its notes is shown.
  return sharp(bytes, { limitInputPixels: LARGEST_PIXELS, failOn: "error" }).timeout({ seconds: LONGEST_DECODING_S });
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** AVIF by its main brand or among those that it is compatible with. */
const AVIF_BRANDS = /^(?:avif|avis|mif1|msf1)/;

function formatOf(bytes: Buffer): Format | null {
  const text = bytes.toString("latin1", 0, 16);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (bytes.subarray(0, PNG.length).equals(PNG)) return "png";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "webp";
  if (text.startsWith("ftyp", 4) && AVIF_BRANDS.test(text.slice(8))) return "avif";
  return null;
}
