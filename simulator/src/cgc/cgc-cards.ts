import type { CgcCard } from "./cgc-card.ts";
import { makeUpCgcCard } from "./cgc-made-up.ts";
import { recordedCgcCard } from "./cgc-recorded.ts";

const FORM = /^(?:\d{7}|\d{10})-?\d{3}$/;

/** The card of a number, with or without its dash. Null if the text isn't a CGC number. */
export function findCgcCard(certNumber: string): CgcCard | null {
  if (!FORM.test(certNumber)) return null;
  const plain = certNumber.replace("-", "");
  return recordedCgcCard(plain) ?? makeUpCgcCard(plain);
}

/**
 * The card and side of an image path on the image host, including resized variants. Null if there is no such image.
 */
export function findCgcScan(path: string): { card: CgcCard; isFront: boolean } | null {
  const fullSize = path.replace("/TN_", "/").replace("@500x787", "");
  const certNumber = /\/[A-Z]{3}([\d-]+)_(?:OBV|REV)\.jpg$/.exec(fullSize)?.[1];
  const card = certNumber === undefined ? null : findCgcCard(certNumber);
  const scan = card?.scans.find((candidate) => candidate.path === fullSize);
  return card && scan ? { card, isFront: (scan.label === "Obverse") !== card.scansReversed } : null;
}
