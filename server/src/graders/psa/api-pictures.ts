import { z } from "zod";
import type { UpstreamAnswer } from "../../upstreams/endpoint.ts";
import { NO_PICTURES, readPictureUrl, type Pictures, type Text } from "../card-text.ts";
import { isBotWall, parseJson } from "../upstream-answers.ts";

/** If PSA may have pictures that could not be read, `note` tells staff why; else it is null. */
export type PsaPictures = { pictures: Pictures; note: Text };

const flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);
const imageSchema = z.object({ IsFrontImage: flag, ImageURL: z.string().nullish() });

const NONE: PsaPictures = { pictures: NO_PICTURES, note: null };

/**
 * Reads GetImagesByCertNumber. The back often comes first. Cards graded before October 2021 have no pictures; the
 * answer for them is not documented, so an empty list, null, a bare string, 204 and 404 all count as none.
 */
export function readPsaPictures(answer: UpstreamAnswer): PsaPictures {
  if (answer.kind !== "answered") return failed(FAILURE_MESSAGE[answer.kind]);
  const { status, text } = answer;
  if (isBotWall(answer)) return failed("PSA blocked us (bot protection)");
  if (status === 204 || status === 404) return NONE;
  if (status === 429) return failed("PSA's API call limit is used up");
  if (status !== 200) return failed(`PSA returned ${status}`);
  const json = parseJson(text);
  if (!json.ok) return failed("PSA returned an unexpected response");
  if (json.value === null || typeof json.value === "string") return NONE;
  if (Array.isArray(json.value)) return readImages(json.value);
  // PSA's documented envelope, here without a list. "No data found" means no pictures; a refusal is a failure.
  const isNoData = z.object({ IsValidRequest: z.literal(true) }).safeParse(json.value).success;
  return isNoData ? NONE : failed("PSA returned an unexpected response");
}

function readImages(list: unknown[]): PsaPictures {
  if (list.length === 0) return NONE;
  const images = list.flatMap((item) => imageSchema.safeParse(item).data ?? []);
  if (images.length === list.length && images.every((image) => !image.ImageURL)) return NONE;
  const sideOf = (isFront: boolean): Text => {
    const sides = images.filter((image) => image.IsFrontImage === isFront);
    return sides.map((image) => readPictureUrl(image.ImageURL)).find((url) => url !== null) ?? null;
  };
  const pictures = { front: sideOf(true), back: sideOf(false) };
  const isReadable = pictures.front !== null || pictures.back !== null;
  return isReadable ? { pictures, note: null } : failed("PSA returned an unexpected response");
}

const FAILURE_MESSAGE = {
  timed_out: "PSA did not respond in time",
  too_large: "PSA returned an unexpected response",
  redirected: "PSA redirected us to another address",
  network_error: "PSA could not be reached",
} as const;

function failed(reason: string): PsaPictures {
  return { pictures: NO_PICTURES, note: `The pictures could not be fetched: ${reason}` };
}
