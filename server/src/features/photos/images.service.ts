import { createHash } from "node:crypto";
import { type ImageSide, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { slowImages } from "../../concurrency/budgets.ts";
import { createShares } from "../../concurrency/shares.ts";
import { createSingleFlight } from "../../concurrency/single-flight.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { SessionsService, Viewer } from "../sessions/sessions.service.ts";
import { decode, judgeImage } from "../../images/decoding.ts";
import type { ImageCache } from "./image-cache.store.ts";
import { BROKEN, type Original, type Originals } from "./originals.service.ts";

type Row = Awaited<ReturnType<SessionsService["authorizeRow"]>>;

export type Image = { bytes: Buffer; contentType: string };
export type ImagesService = ReturnType<typeof createImagesService>;

/** Thumbnail widths in pixels. A request gets the next larger one; beyond the largest, the full size. */
const WIDTHS = [96, 192, 384, 768, 1536] as const;
type KeptWidth = (typeof WIDTHS)[number];
const keptWidth = (width = Infinity): KeptWidth | undefined => WIDTHS.find((kept) => kept >= width);
/** Whether a request for an image of this width gets the full size, as it does without a width. */
export const isFullSize = (width: number | undefined): boolean => keptWidth(width) === undefined;
/** The width for the results table, for spreadsheets and for comparing the two sides. */
const TABLE_WIDTH: KeptWidth = 192;

const TURNS_OF_A_PERSON = 8;

type Made =
  | { kind: "image"; bytes: Buffer; contentType: string; wasKept: boolean }
  | Extract<Original, { kind: "none" }>;
type Fetched = Extract<Original, { kind: "image" }>;

const WEBP = { kind: "image", contentType: "image/webp" } as const;

/** `onFetched` is called when a viewer's request fetched a row's image that wasn't cached. */
export function createImagesService(
  sessions: SessionsService,
  originals: Originals,
  cache: ImageCache,
  onFetched: (row: Row) => Promise<void>,
) {
  const { thumbnail, fullSize } = createThumbnails(originals, cache);

  async function frontOrBack(viewer: Viewer, rowId: string, side: ImageSide) {
    const row = await sessions.authorizeRow(viewer, rowId);
    const url = side === "front" ? row.front_image_url : row.back_image_url;
    if (url === null || url === NOT_AVAILABLE) throw noSuchThing("image");
    return { row, url };
  }

  /** @throws HttpError 502 with a message for the user if there is no image */
  async function here(row: Row, asked: Promise<Made>): Promise<Extract<Made, { kind: "image" }>> {
    const made = await asked;
    if (made.kind === "none") {
      const advice = made.mayPass ? "Please try again later" : "You can upload your own photo instead";
      const message = `The image could not be fetched: ${made.message}. ${advice}`;
      throw new HttpError(502, "unavailable", message, { cause: made.cause });
    }
    if (!made.wasKept) await onFetched(row);
    return made;
  }

  return {
    /**
     * Returns a row's image, at least `width` pixels wide if the original is; without `width`, the original.
     * @throws HttpError 404 if the row or image doesn't exist or belongs to another user, 502 if the fetch fails
     */
    async get(viewer: Viewer, rowId: string, side: ImageSide, width: number | undefined): Promise<Image> {
      const { row, url } = await frontOrBack(viewer, rowId, side);
      const step = keptWidth(width);
      const asked = step === undefined ? fullSize(url, viewer.id) : thumbnail(url, step, viewer.id);
      return here(row, asked);
    },

    /**
     * Returns a thumbnail of a row's front image for a spreadsheet, with its size in pixels. It is a JPEG, because
     * many spreadsheet programs can't read WebP.
     * @throws HttpError same as `get`, or 502 if the image can't be read
     */
    async sheetThumbnail(viewer: Viewer, rowId: string): Promise<{ bytes: Buffer; width: number; height: number }> {
      const { row, url } = await frontOrBack(viewer, rowId, "front");
      try {
        const name = nameOf(url, TABLE_WIDTH, "jpeg");
        const kept = await cache.read(name);
        const asWebp = async () => (await here(row, thumbnail(url, TABLE_WIDTH, viewer.id))).bytes;
        const bytes = kept ?? (await decode(viewer.id, "asJpeg", await asWebp()));
        if (!kept) await cache.keep(name, bytes);
        const judged = await judgeImage(bytes, viewer.id);
        if (judged.kind !== "image") throw new Error("The cached thumbnail is damaged");
        return { bytes, width: judged.width, height: judged.height };
      } catch (error) {
        if (error instanceof HttpError) throw error;
        throw new HttpError(502, "unavailable", "The image cannot be read", { cause: error });
      }
    },

    /** Compares two images. Returns "unknown" if one can't be fetched, or "later" if a retry may succeed. */
    async compare(front: string, back: string): Promise<"same" | "different" | "unknown" | "later"> {
      const sides = await Promise.all([front, back].map((url) => thumbnail(url, TABLE_WIDTH, "background")));
      const [one, other] = sides;
      if (one?.kind === "image" && other?.kind === "image")
        return (await decode("background", "isSameImage", one.bytes, other.bytes)) ? "same" : "different";
      return sides.some((side) => side.kind === "none" && side.mayPass) ? "later" : "unknown";
    },

    /** Deletes the cached thumbnails of an image that is no longer shown. */
    async forget(url: string): Promise<void> {
      const names = WIDTHS.flatMap((width) => [nameOf(url, width, "webp"), nameOf(url, width, "jpeg")]);
      await Promise.all(names.map((name) => cache.forget(name)));
    },
  };
}

function createThumbnails(originals: Originals, cache: ImageCache) {
  const making = createSingleFlight<Made>();
  // People whose images took too long to decode rest here, before they start work that others share.
  const turns = createShares({ total: Infinity, each: TURNS_OF_A_PERSON, budgets: slowImages });

  async function thumbnail(url: string, width: KeptWidth, who: string): Promise<Made> {
    const kept = await cache.read(nameOf(url, width, "webp"));
    if (kept) return { ...WEBP, bytes: kept, wasKept: true };
    return turns.run(who, async () => {
      const original = await originals.get(url, who);
      return original.kind === "none" ? original : makeThumbnail(url, width, original, who);
    });
  }

  /** Creates a thumbnail; concurrent requests share the work. A broken original has no thumbnail and is deleted. */
  function makeThumbnail(url: string, width: KeptWidth, original: Fetched, who: string): Promise<Made> {
    const name = nameOf(url, width, "webp");
    const { wasKept } = original;
    return making.run(name, async () => {
      // Don't reuse a cached thumbnail for a newly fetched original: it may show a deleted, older original.
      const kept = wasKept ? await cache.read(name) : null;
      if (kept) return { ...WEBP, bytes: kept, wasKept };
      try {
        const bytes = await decode(who, "smallWebp", original.bytes, width);
        await cache.keep(name, bytes);
        return { ...WEBP, bytes, wasKept };
      } catch (error) {
        await originals.noteBroken(original.address);
        return { kind: "none", message: BROKEN, mayPass: true, cause: error };
      }
    });
  }

  function fullSize(url: string, who: string): Promise<Original> {
    return turns.run(who, async () => {
      const original = await originals.get(url, who);
      if (original.kind === "none") return original;
      // If the table's thumbnail can't be created, the full size is broken too. Usually the thumbnail is cached already.
      const small = await makeThumbnail(url, TABLE_WIDTH, original, who);
      return small.kind === "none" ? small : original;
    });
  }

  return { thumbnail, fullSize };
}

function nameOf(url: string, width: KeptWidth, ending: "webp" | "jpeg"): string {
  return `${createHash("sha256").update(`${url} ${width}`).digest("hex")}.${ending}`;
}
