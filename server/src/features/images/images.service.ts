import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ImageAnswer } from "../../lanes/image-door.ts";
import type { ScansService, Viewer } from "../scans/scans.service.ts";

export type Picture = { bytes: Buffer; contentType: string; etag: string };
export type ImagesParts = {
  scans: Pick<ScansService, "authorizeRow">;
  fetchImage: (url: string) => Promise<ImageAnswer>;
  cacheDir: string;
  report: (error: Error) => void;
};
export type ImagesService = ReturnType<typeof createImagesService>;

/** Widths that are made and kept, in pixels; a request gets the next larger one. Beyond them is the full size. */
const WIDTHS = [96, 192, 384, 768, 1536] as const;
type KeptWidth = (typeof WIDTHS)[number];
const PICTURES_AT_ONCE = 8;
/** Scans of slabs have up to 27 million pixels (TAG, 4389 by 6092). */
const LARGEST_PIXELS = 100_000_000;
/** What a browser shows in an img element; drawings with scripts in them (SVG) are none of these. */
const CONTENT_TYPES: Record<string, string> = {
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  heif: "image/avif",
};

export function createImagesService({ scans, fetchImage, cacheDir, report }: ImagesParts) {
  const underWay = new Map<string, Promise<Picture>>();
  const makeInTurn = limitConcurrency(PICTURES_AT_ONCE, ({ url, width }: { url: string; width: number | undefined }) =>
    width === undefined ? fetchOriginal(fetchImage, url) : makeThumbnail(url, width),
  );

  /** Two rows of the same card, or two tabs, cause one fetch. */
  function once(key: string, make: () => Promise<Picture>): Promise<Picture> {
    const running = underWay.get(key) ?? make().finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  }

  async function thumbnail(url: string, width: number): Promise<Picture> {
    const kept = await readIfThere(fileOf(url, width));
    return kept ? { bytes: kept, ...webp(url, width) } : makeInTurn({ url, width });
  }

  async function makeThumbnail(url: string, width: number): Promise<Picture> {
    const original = await fetchOriginal(fetchImage, url);
    const picture = sharp(original.bytes, { limitInputPixels: LARGEST_PIXELS });
    const bytes = await picture.rotate().resize({ width, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer();
    await keepIfPossible(fileOf(url, width), bytes);
    return { bytes, ...webp(url, width) };
  }

  /** The picture is in hand: one that cannot be kept is made again next time. */
  async function keepIfPossible(file: string, bytes: Buffer): Promise<void> {
    await keep(file, bytes).catch((error: unknown) =>
      report(new Error("A thumbnail could not be kept", { cause: error })),
    );
  }

  function fileOf(url: string, width: number, ending = "webp"): string {
    const { etag } = webp(url, width);
    return join(cacheDir, etag.slice(0, 2), `${etag}.${ending}`);
  }

  async function frontOrBack(viewer: Viewer, rowId: string, side: ImageSide): Promise<string> {
    const row = await scans.authorizeRow(viewer, rowId);
    const url = side === "front" ? row.front_image_url : row.back_image_url;
    if (url === null || url === NOT_AVAILABLE) throw noSuchThing("picture");
    return url;
  }

  return {
    /**
     * A row's picture, at least `width` pixels wide if the original is; the original itself without a width.
     *
     * @throws HttpError 404 when there is no such row or picture or it is somebody else's, 502 when its host does not give it
     */
    async picture(viewer: Viewer, rowId: string, side: ImageSide, width: number | undefined): Promise<Picture> {
      const url = await frontOrBack(viewer, rowId, side);
      const step = width === undefined ? undefined : WIDTHS.find((made) => made >= width);
      return once(`${url} ${step ?? "full"}`, () =>
        step === undefined ? makeInTurn({ url, width: step }) : thumbnail(url, step),
      );
    },

    /**
     * A row's thumbnail as JPEG, as wide as one of those that are kept, and kept like them.
     *
     * @throws HttpError as `picture` does
     */
    async jpeg(viewer: Viewer, rowId: string, side: ImageSide, width: KeptWidth): Promise<Buffer> {
      const url = await frontOrBack(viewer, rowId, side);
      const file = fileOf(url, width, "jpeg");
      const kept = await readIfThere(file);
      if (kept) return kept;
      const { bytes } = await once(`${url} ${width}`, () => thumbnail(url, width));
      const made = await sharp(bytes).flatten({ background: "white" }).jpeg({ quality: 80 }).toBuffer();
      await keepIfPossible(file, made);
      return made;
    },
  };
}

function webp(url: string, width: number): Omit<Picture, "bytes"> {
  return { contentType: "image/webp", etag: createHash("sha256").update(`${url} ${width}`).digest("hex") };
}

async function fetchOriginal(fetchImage: ImagesParts["fetchImage"], url: string): Promise<Picture> {
  const large = fullSizeOf(url);
  let answer = await fetchImage(large);
  if (answer.kind !== "image" && large !== url) answer = await fetchImage(url);
  if (answer.kind !== "image")
    throw new HttpError(502, "unavailable", `The picture could not be fetched: ${answer.message}`, { cause: answer });
  const format = await formatOf(answer.bytes);
  const contentType = CONTENT_TYPES[format];
  if (!contentType)
    throw new HttpError(502, "unavailable", "The picture's host answered with something that is no picture");
  return { bytes: answer.bytes, contentType, etag: createHash("sha256").update(answer.bytes).digest("hex") };
}

/** PSA's page prints the small variant; the same address without `small/` is the full size (two independent sources, 2026). */
function fullSizeOf(url: string): string {
  return url.replace(/(\/cert\/\d+\/)small\//, "$1");
}

async function formatOf(bytes: Buffer): Promise<string> {
  try {
    return (await sharp(bytes).metadata()).format;
  } catch (error) {
    throw new HttpError(502, "unavailable", "The picture's host answered with something that is no picture", {
      cause: error,
    });
  }
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    const bytes = await readFile(file);
    // Torn by a power cut between writing and renaming.
    return bytes.length > 0 ? bytes : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Written beside and renamed, so that a torn file is never served. */
async function keep(file: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, file);
}

function limitConcurrency<A, R>(width: number, work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (argument) => {
    if (running >= width) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await work(argument);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
