import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { isOwnPhoto, OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import { imageLoads } from "../../concurrency/budgets.ts";
import { createShares } from "../../concurrency/shares.ts";
import { createSingleFlight } from "../../concurrency/single-flight.ts";
import { createHostBreaker } from "../../upstreams/host-breaker.ts";
import { hasNotAnswered, type ImageAnswer, type ImageFetcher } from "../../upstreams/image-endpoint.ts";
import type { Judged } from "../../images/decoder-process.ts";
import { judgeImage } from "../../images/decoding.ts";
import { LARGEST_MEGAPIXELS, LARGEST_SIDE } from "../../images/heavy-images.ts";
import type { ImageCache } from "./image-cache.store.ts";

/** An image as its host sent it, or why there is none. `mayPass`: a retry may succeed. */
export type Original =
  | { kind: "image"; bytes: Buffer; contentType: string; address: string; wasKept: boolean }
  | { kind: "none"; message: string; mayPass: boolean; hasNotAnswered?: boolean; cause?: unknown };

/** A fetched image passes through several processes, so it is charged more than one that is only sent. */
const FETCHED_BYTES_PER_MS = 50_000;
/** What a fetch without an image costs besides its bytes: as much as an image of 200 kB. */
const FAILED_MS = 4;
/** A broken image is not fetched again during this time, because decoding it can take seconds. */
const BROKEN_FOR_MS = 300_000;
const MOST_BROKEN = 10_000;
export const BROKEN = "It is incomplete or damaged";

export type Originals = ReturnType<typeof createOriginals>;
export type OriginalsParts = {
  cache: ImageCache;
  /** Calls `onReceived` with the size of each part of the body. */
  fetchImage: ImageFetcher["fetchImage"];
  /** Reads a user's own photo. Null if it was deleted. */
  ownPhoto: (photoId: string) => Promise<Buffer | null>;
  now: () => Date;
};

/** Fetches and caches the original images of rows. A cached one is never fetched again; its host may lose it. */
export function createOriginals({ cache, fetchImage, ownPhoto, now }: OriginalsParts) {
  const finding = createSingleFlight<Original>();
  const fetching = createSingleFlight<Original>();
  const breaker = createHostBreaker(now);
  /** When each broken address may be fetched again, oldest first. */
  const broken = new Map<string, number>();
  // Background work doesn't delay viewers, and a host that hangs for a few viewers doesn't block the others.
  const forPeople = createShares({ total: 32, each: 4 });
  // Two comparisons of two images.
  const inBackground = pLimit(4);

  async function find(url: string, who: string): Promise<Original> {
    if (isOwnPhoto(url)) return findPhoto(url);
    const kept = await findLargestKept(url, who);
    if (kept) return kept;
    return who === "background" ? inBackground(() => ask(url, who)) : forPeople.run(who, () => ask(url, who));
  }

  async function ask(url: string, who: string): Promise<Original> {
    const host = URL.canParse(url) ? new URL(url).host : "";
    // Per viewer, so that one viewer's hanging images don't pause the host for the others.
    const admission = breaker.admit(`${who} ${host}`);
    if (!admission) return paused(host);
    // Concurrent requests share one fetch. The image may have been cached while this request waited.
    const original = await fetching.run(url, async () => (await findLargestKept(url, who)) ?? fetchLargest(url, who));
    breaker.report(`${who} ${host}`, admission, original.kind === "image" || original.hasNotAnswered !== true);
    return original;
  }

  async function findPhoto(url: string): Promise<Original> {
    const bytes = await ownPhoto(url.slice(OWN_PHOTO_PATH.length));
    if (!bytes) return none("This photo has been removed");
    return { kind: "image", bytes, contentType: "image/jpeg", address: url, wasKept: true };
  }

  async function findLargestKept(url: string, who: string): Promise<Original | null> {
    return (await findKept(fullSizeOf(url), who)) ?? findKept(url, who);
  }

  async function findKept(address: string, who: string): Promise<Original | null> {
    const bytes = await cache.read(nameOf(address));
    const kept = bytes && originalOf(bytes, address, await judgeImage(bytes, who));
    return kept?.kind === "image" ? { ...kept, wasKept: true } : null;
  }

  async function fetchLargest(url: string, who: string): Promise<Original> {
    const large = fullSizeOf(url);
    const first = await fetchAndKeep(large, who, () => true);
    if (first.kind === "image" || large === url) return first;
    // Cache the small variant only if the large one doesn't exist, not if fetching it failed temporarily.
    const second = await fetchAndKeep(url, who, () => !first.mayPass);
    return second.kind === "image" ? second : first;
  }

  async function fetchAndKeep(address: string, who: string, isFinal: () => boolean): Promise<Original> {
    if ((broken.get(address) ?? 0) > now().getTime()) return { kind: "none", message: BROKEN, mayPass: true };
    const answer = await fetchImage(address, (bytes) => imageLoads.spend(who, bytes / FETCHED_BYTES_PER_MS));
    if (answer.kind !== "image") {
      imageLoads.spend(who, FAILED_MS);
      const mayPass = answer.kind === "timed_out" || answer.kind === "unavailable";
      return { kind: "none", message: answer.message, mayPass, hasNotAnswered: hasNotAnswered(answer), cause: answer };
    }
    const original = originalOf(answer.bytes, address, await judgeImage(answer.bytes, who));
    if (original.kind === "image" && isFinal()) await cache.keep(nameOf(address), answer.bytes);
    return original;
  }

  return {
    /** Gets an original from the cache or its host. `who`: the id of the viewer, or "background". */
    get: (url: string, who: string): Promise<Original> => finding.run(`${who} ${url}`, () => find(url, who)),

    /** Deletes a broken image from the cache. It may be fetched again after BROKEN_FOR_MS. */
    noteBroken(address: string): Promise<void> {
      broken.delete(address);
      broken.set(address, now().getTime() + BROKEN_FOR_MS);
      const [oldest] = broken.keys();
      if (oldest !== undefined && broken.size > MOST_BROKEN) broken.delete(oldest);
      return cache.forget(nameOf(address));
    },
  };
}

/** An image that a retry can't fetch. */
function none(message: string, cause?: unknown): Original {
  return { kind: "none", message, mayPass: false, cause };
}

function paused(host: string): Original {
  const message = `${host} does not respond. It will be tried again later`;
  return { kind: "none", message, mayPass: true, cause: { kind: "unavailable", message } satisfies ImageAnswer };
}

function originalOf(bytes: Buffer, address: string, judged: Judged): Original {
  switch (judged.kind) {
    case "image":
      return { kind: "image", bytes, contentType: judged.contentType, address, wasKept: false };
    case "no_image":
      return none("Its host returned something other than an image", judged.cause);
    case "too_many_pixels":
      return none(`It has more than ${LARGEST_MEGAPIXELS} million pixels, or is longer than ${LARGEST_SIDE} pixels`);
  }
}

/** PSA's page links the small variant. The URL without `small/` is the full size (two independent sources, 2026). */
function fullSizeOf(url: string): string {
  return url.replace(/(\/cert\/\d+\/)small\//, "$1");
}

function nameOf(address: string): string {
  return `${createHash("sha256").update(`${address} original`).digest("hex")}.original`;
}
