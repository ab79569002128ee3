import { writeFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { unlessFailed } from "@slabdesk/embedded-database/embedded-database-error.ts";
import { readStandardInput } from "../concurrency/standard-input.ts";
import sharp, { type Sharp, type SharpOptions } from "sharp";
import { hasTables, LARGEST_MEGAPIXELS, LARGEST_SIDE, pixelsOf, withoutHeavyChunks } from "./heavy-images.ts";

/*
 * The only module that decodes images. Bytes from a host or a user are identified by content, never by file name or
 * HTTP header: the first bytes must match one of these formats, and the decoder must agree. Decoders of all other
 * formats are disabled. Everything else (SVG, PDF, text, and so on) is rejected.
 */

/** The type of some bytes. `too_many_pixels` counts all frames. */
export type Judged =
  | { kind: "image"; contentType: string; width: number; height: number }
  | { kind: "no_image"; cause?: unknown }
  | { kind: "too_many_pixels" };

export type Tasks = typeof TASKS;
/** The images, whose sizes are in bytes, come from the standard input. */
export type Task = { name: keyof Tasks; sizes: number[]; options: number[] };
export type Answer<Result> = { result: Result } | { error: unknown };

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
// No image is decoded twice in a row, so sharp's cache would only waste memory.
sharp.cache(false);

const LARGEST_PIXELS = LARGEST_MEGAPIXELS * 1_000_000;
const PHOTO_PIXELS_A_SIDE = 2400;

/** Doesn't decode the pixels. @throws if sharp can't read the header */
async function judge(bytes: Buffer): Promise<Judged> {
  const format = formatOf(bytes);
  if (format === null) return { kind: "no_image" };
  // Without sharp's limit, which can't be told from a broken header.
  const head = await loaded(bytes, { limitInputPixels: false }).metadata();
  const { mediaType, width, height, pages = 1 } = head;
  if (mediaType !== `image/${format}`) return { kind: "no_image" };
  const pixels = Math.max(width * height * pages, format === "avif" ? pixelsOf(bytes) : 0);
  if (pixels > LARGEST_PIXELS || Math.max(width, height) > LARGEST_SIDE) return { kind: "too_many_pixels" };
  return { kind: "image", contentType: mediaType, width, height };
}

/** Returns a smaller, upright WebP copy. sharp shrinks JPEG while decoding. @throws if the bytes are broken */
function smallWebp(bytes: Buffer, width: number): Promise<Buffer> {
  return decoded(bytes, (image) =>
    image.autoOrient().resize({ width, withoutEnlargement: true }).webp({ quality: 82 }),
  );
}

/** Returns the image as JPEG. @throws if the bytes are broken */
function asJpeg(bytes: Buffer): Promise<Buffer> {
  return decoded(bytes, (image) => image.flatten({ background: "white" }).jpeg({ quality: 80 }));
}

/** Returns an upright JPEG without metadata, which would reveal location and camera. @throws if the bytes are broken */
function plainPhoto(bytes: Buffer): Promise<Buffer> {
  return decoded(bytes, (image) =>
    image
      .autoOrient()
      .resize({ width: PHOTO_PIXELS_A_SIDE, height: PHOTO_PIXELS_A_SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .jpeg({ quality: 85 }),
  );
}

/** Returns the size in pixels and the brightness (0 to 255) of 16 by 16 fields. @throws if the bytes are broken */
async function impressionOf(bytes: Buffer) {
  const { width, height } = await loaded(bytes).metadata();
  const fields = await decoded(bytes, (image) =>
    image.flatten({ background: "white" }).greyscale().resize(FIELDS, FIELDS, { fit: "fill" }).raw(),
  );
  return { width, height, fields };
}
const FIELDS = 16;

async function decoded(bytes: Buffer, change: (image: Sharp) => Sharp): Promise<Buffer> {
  // Fail on a truncated image, but not on invalid metadata.
  const options = { limitInputPixels: LARGEST_PIXELS, failOn: "error" } as const;
  const { icc } = await loaded(bytes, options).metadata();
  return change(loaded(bytes, { ...options, ignoreIcc: icc !== undefined && hasTables(icc) })).toBuffer();
}

function loaded(bytes: Buffer, options?: SharpOptions): Sharp {
  return sharp(formatOf(bytes) === "png" ? withoutHeavyChunks(bytes) : bytes, options);
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const AVIF_BRANDS = /^(?:avif|avis|mif1|msf1)/;

function formatOf(bytes: Buffer): "jpeg" | "png" | "webp" | "gif" | "avif" | null {
  const text = bytes.toString("latin1", 0, 16);
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (bytes.subarray(0, PNG.length).equals(PNG)) return "png";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "webp";
  if (text.startsWith("ftyp", 4) && AVIF_BRANDS.test(text.slice(8))) return "avif";
  return null;
}

/**
 * Maximum average difference in brightness, out of 255. Measured on the recorded cards' drawn slabs: the same image
 * differs by less than 1 if recompressed or scaled down, and by less than 2.5 if cropped by two pixels or brightened by
 * 1%. Any two sides of any two slabs differ by at least 22.
 */
const SAME_ON_AVERAGE = 3;
/** Maximum difference in any field. Different labels on otherwise equal images change few fields, but by a lot. */
const SAME_IN_ANY_FIELD = 24;
const SAME_SHAPE = 0.03;

/** Compares two images by content. URLs, sizes and compression may differ. */
async function isSameImage(one: Buffer, other: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([impressionOf(one), impressionOf(other)]);
  const shapes = a.width / a.height / (b.width / b.height);
  if (Math.abs(shapes - 1) > SAME_SHAPE) return false;
  const differences = [...a.fields].map((field, index) => Math.abs(field - (b.fields[index] ?? 0)));
  const average = differences.reduce((total, difference) => total + difference, 0) / differences.length;
  return average < SAME_ON_AVERAGE && Math.max(...differences) < SAME_IN_ANY_FIELD;
}

// If the memory runs out, the system should end a decoder instead of the server.
if (process.platform === "linux")
  await unlessFailed(["EACCES", "EPERM", "EROFS"], null, () => writeFile("/proc/self/oom_score_adj", "1000"));

const TASKS = { judge, smallWebp, asJpeg, plainPhoto, isSameImage };

async function work({ name, sizes, options }: Task): Promise<unknown> {
  const images: Buffer[] = [];
  for (const size of sizes) images.push(await readStandardInput(size));
  return Reflect.apply(TASKS[name], undefined, [...images, ...options]);
}

process.on("message", (task: Task) => {
  const answer = (message: Answer<unknown>) => process.send?.(message);
  work(task).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ error }),
  );
});
// An exit would wait for the decoder.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
flushCompileCache();
