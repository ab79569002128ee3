import { createHash } from "node:crypto";
import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ScansService, Viewer } from "../scans/scans.service.ts";
import { asJpeg, smallWebp } from "./decoding.ts";
import type { Original, Originals } from "./originals.ts";
import type { PictureCache } from "./picture-cache.ts";
import { isSamePicture } from "./same-picture.ts";

export type Picture = { bytes: Buffer; contentType: string; etag: string };
export type ImagesParts = {
  scans: Pick<ScansService, "authorizeRow">;
  originals: Originals;
  cache: PictureCache;
};
export type ImagesService = ReturnType<typeof createImagesService>;

/** Widths that are made and kept, in pixels; a request gets the next larger one. Beyond them is the full size. */
const WIDTHS = [96, 192, 384, 768, 1536] as const;
type KeptWidth = (typeof WIDTHS)[number];
/** What the table shows, and what two sides are compared by. */
const TABLE_WIDTH: KeptWidth = 192;

type Made = { kind: "picture"; bytes: Buffer } | Extract<Original, { kind: "none" }>;

export function createImagesService({ scans, originals, cache }: ImagesParts) {
  const underWay = new Map<string, Promise<Made>>();

  /** Two rows of the same card, or two tabs, have a thumbnail made once. */
  function thumbnail(url: string, width: KeptWidth): Promise<Made> {
    const name = nameOf(url, width, "webp");
    const running = underWay.get(name) ?? findOrMake(name, url, width).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  }

  async function findOrMake(name: string, url: string, width: KeptWidth): Promise<Made> {
    const kept = await cache.read(name);
    if (kept) return { kind: "picture", bytes: kept };
    const original = await originals.get(url);
    if (original.kind === "none") return original;
    try {
      const bytes = await smallWebp(original.bytes, width);
      await cache.keep(name, bytes);
      return { kind: "picture", bytes };
    } catch (error) {
      await originals.forget(original.address);
      return { kind: "none", words: "It came incomplete or damaged", mayPass: true, cause: error };
    }
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
      if (step === undefined) {
        const { bytes, contentType } = here(await originals.get(url));
        return { bytes, contentType, etag: markOf(bytes) };
      }
      const { bytes } = here(await thumbnail(url, step));
      return { bytes, contentType: "image/webp", etag: markOf(bytes) };
    },

    /**
     * A row's thumbnail as JPEG, as wide as one of those that are kept, and kept like them.
     *
     * @throws HttpError as `picture` does
     */
    async jpeg(viewer: Viewer, rowId: string, side: ImageSide, width: KeptWidth): Promise<Buffer> {
      const url = await frontOrBack(viewer, rowId, side);
      const name = nameOf(url, width, "jpeg");
      const kept = await cache.read(name);
      if (kept) return kept;
      const { bytes } = here(await thumbnail(url, width));
      const made = await asJpeg(bytes);
      await cache.keep(name, made);
      return made;
    },

    /**
     * Whether two addresses show the same picture. Both are fetched and kept with the thumbnail that the table shows.
     * "unknown" when one of them cannot be had; "later" when another try may bring it.
     */
    async compare(front: string, back: string): Promise<"same" | "different" | "unknown" | "later"> {
      const sides = await Promise.all([thumbnail(front, TABLE_WIDTH), thumbnail(back, TABLE_WIDTH)]);
      const [one, other] = sides;
      if (one.kind === "picture" && other.kind === "picture")
        return (await isSamePicture(one.bytes, other.bytes)) ? "same" : "different";
      return sides.some((side) => side.kind === "none" && side.mayPass) ? "later" : "unknown";
    },

    /** Forgets what was made of a picture that is shown no more. */
    async forget(url: string): Promise<void> {
      const names = WIDTHS.flatMap((width) => [nameOf(url, width, "webp"), nameOf(url, width, "jpeg")]);
      await Promise.all(names.map((name) => cache.forget(name)));
    },
  };
}

/** @throws HttpError 502 in words when there is no picture */
function here<T extends { kind: "picture" }>(made: T | Extract<Original, { kind: "none" }>): T {
  if (made.kind === "picture") return made;
  const advice = made.mayPass ? "Please try again later" : "You can show a photo of your own in its place";
  throw new HttpError(502, "unavailable", `The picture could not be fetched: ${made.words}. ${advice}`, {
    cause: made.cause,
  });
}

function nameOf(url: string, width: KeptWidth, ending: "webp" | "jpeg"): string {
  return `${createHash("sha256").update(`${url} ${width}`).digest("hex")}.${ending}`;
}

function markOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
