import { TAG_IMAGE_HOST, type TagCard } from "./tag-card.ts";
import { certOfUuid, makeUpTagCard } from "./tag-made-up.ts";
import { RECORDED_UUIDS, recordedTagCard, wasPhotographed } from "./tag-recorded.ts";

const FORM = /^[A-Z]\d{7}$/;

/** The card of a number: recorded, else made up. Null if the text isn't a TAG number. */
export function findTagCard(certNumber: string): TagCard | null {
  if (!FORM.test(certNumber)) return null;
  return recordedTagCard(certNumber) ?? makeUpTagCard(certNumber, wasPhotographed(certNumber));
}

type TagImage = { card: TagCard; isFront: boolean; shows: "slab" | "square" | "card" };

/** The image at a path on the image host. Null if there is no such image. */
export function findTagImage(path: string): TagImage | null {
  const slab = /^\/slab-images\/([A-Z]\d{7})_Slabbed_(1x1_)?(FRONT|BACK)\.jpg$/.exec(path);
  if (slab) return imageOf(findTagCard(slab[1] ?? ""), slab[3] === "FRONT", slab[2] ? "square" : "slab");
  const scan = /^\/card-images\/([\da-f-]{36})_(FRONT|BACK)_\w+\.(?:jpg|png)$/.exec(path);
  const uuid = scan?.[1] ?? "";
  const certNumber = RECORDED_UUIDS.get(uuid) ?? certOfUuid(uuid);
  return certNumber === null ? null : imageOf(findTagCard(certNumber), scan?.[2] === "FRONT", "card");
}

function imageOf(card: TagCard | null, isFront: boolean, shows: TagImage["shows"]): TagImage | null {
  return card && (isFront ? card.hasFront : card.hasBack) ? { card, isFront, shows } : null;
}

/** Replaces the image host everywhere in a record. */
export function withImagesAt(detail: unknown, host: string): string {
  return JSON.stringify(detail).replaceAll(TAG_IMAGE_HOST, host);
}
