import { createHash } from "node:crypto";
import { isOwnPhoto, OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { ImageAnswer } from "../../lanes/image-door.ts";
import { atMost } from "./at-most.ts";
import { judgePicture, LARGEST_MEGAPIXELS, type Judged } from "./decoding.ts";
import type { PictureCache } from "./picture-cache.ts";

/** A picture as its host sent it, or in words why there is none; `mayPass` when another try may bring it. */
export type Original =
  | { kind: "picture"; bytes: Buffer; contentType: string; address: string }
  | { kind: "none"; words: string; mayPass: boolean; cause?: unknown };

export type Originals = ReturnType<typeof createOriginals>;
export type OriginalsParts = {
  cache: PictureCache;
  fetchImage: (url: string) => Promise<ImageAnswer>;
  /** A person's own photo; null when it has been taken away. */
  ownPhoto: (photoId: string) => Promise<Buffer | null>;
};

const FETCHED_AT_ONCE = 8;

/**
 * The pictures behind rows, as their hosts sent them. What was fetched is kept, and what is kept is never asked for again:
 * it serves when its host has lost it.
 */
export function createOriginals({ cache, fetchImage, ownPhoto }: OriginalsParts) {
  const underWay = new Map<string, Promise<Original>>();
  const inTurn = atMost(FETCHED_AT_ONCE);

  async function find(url: string): Promise<Original> {
    if (isOwnPhoto(url)) return findPhoto(url);
    return (await findKept(fullSizeOf(url))) ?? (await findKept(url)) ?? inTurn(() => fetchLargest(url));
  }

  async function findPhoto(url: string): Promise<Original> {
    const bytes = await ownPhoto(url.slice(OWN_PHOTO_PATH.length));
    return bytes ? { kind: "picture", bytes, contentType: "image/jpeg", address: url } : PHOTO_IS_GONE;
  }

  async function findKept(address: string): Promise<Original | null> {
    const bytes = await cache.read(nameOf(address));
    const kept = bytes && originalOf(bytes, address, await judgePicture(bytes));
    return kept?.kind === "picture" ? kept : null;
  }

  async function fetchLargest(url: string): Promise<Original> {
    const large = fullSizeOf(url);
    const first = await fetchAndKeep(large, () => true);
    if (first.kind === "picture" || large === url) return first;
    // The small one is kept when there is no large one, not when that could not be had this time.
    const second = await fetchAndKeep(url, () => !first.mayPass);
    return second.kind === "picture" ? second : first;
  }

  async function fetchAndKeep(address: string, isFinal: () => boolean): Promise<Original> {
    const answer = await fetchImage(address);
    if (answer.kind !== "image") {
      const mayPass = answer.kind === "timed_out" || answer.kind === "unavailable";
      return { kind: "none", words: answer.message, mayPass, cause: answer };
    }
    const original = originalOf(answer.bytes, address, await judgePicture(answer.bytes));
    if (original.kind === "picture" && isFinal()) await cache.keep(nameOf(address), answer.bytes);
    return original;
  }

  return {
    /** Rows of the same card, several widths, several tabs: one fetch. */
    get(url: string): Promise<Original> {
      const running = underWay.get(url) ?? find(url).finally(() => underWay.delete(url));
      underWay.set(url, running);
      return running;
    },

    /** Forgets a picture that turned out to be broken, so that it is fetched anew. */
    forget: (address: string): Promise<void> => cache.forget(nameOf(address)),
  };
}

const PHOTO_IS_GONE: Original = { kind: "none", words: "This photo was taken away meanwhile", mayPass: false };

function originalOf(bytes: Buffer, address: string, judged: Judged): Original {
  switch (judged.kind) {
    case "picture":
      return { kind: "picture", bytes, contentType: judged.contentType, address };
    case "no_picture":
      return {
        kind: "none",
        words: "Its host answered with something that is no picture",
        mayPass: false,
        cause: judged.cause,
      };
    case "too_many_pixels":
      return { kind: "none", words: `It has more than ${LARGEST_MEGAPIXELS} million pixels`, mayPass: false };
  }
}

/** PSA's page prints the small variant; the same address without `small/` is the full size (two independent sources, 2026). */
function fullSizeOf(url: string): string {
  return url.replace(/(\/cert\/\d+\/)small\//, "$1");
}

function nameOf(address: string): string {
  return `${createHash("sha256").update(`${address} original`).digest("hex")}.original`;
}
