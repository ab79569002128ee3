import type { PsaCard } from "./psa-card.ts";
import { certOfMadeUpImage, makeUpPsaCard } from "./psa-made-up.ts";
import { recordedPsaCard, recordedScans, RECORDED_IMAGE_IDS } from "./psa-recorded.ts";

const FORM = /^\d{8,9}$/;

/** The card of a number: recorded, else made up. Null if the text isn't a PSA number. */
export function findPsaCard(certNumber: string): PsaCard | null {
  if (!FORM.test(certNumber)) return null;
  return recordedPsaCard(certNumber) ?? makeUpWithRecordedScans(certNumber);
}

/** The card and side of an image address. Null if there is no such image. */
export function findPsaScan(imageId: string, token: string): { card: PsaCard; isFront: boolean } | null {
  const certNumber = RECORDED_IMAGE_IDS.get(imageId) ?? certOfMadeUpImage(imageId);
  const card = certNumber === null ? null : findPsaCard(certNumber);
  const scan = card?.scans.find((candidate) => candidate.imageId === imageId && candidate.token === token);
  return card && scan ? { card, isFront: scan.isFront } : null;
}

/** For a few certs, the only recorded fact is that they have no images. */
function makeUpWithRecordedScans(certNumber: string): PsaCard {
  const card = makeUpPsaCard(certNumber);
  return { ...card, scans: recordedScans(certNumber) ?? card.scans };
}
