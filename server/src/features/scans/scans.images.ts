import type { Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import type { Jobs } from "../../jobs/jobs.ts";

/**
 * Asks that somebody looks whether a card's two pictures are one, in the transaction that settles it. A card with fewer
 * than two, or with one address for both, is known without a look.
 */
export async function askToLookAtImages(
  trx: DatabaseTransaction,
  jobs: Pick<Jobs, "enqueueImageLook">,
  { gradingCompany, certNumber, imageUrl, imageUrlBack }: Card,
): Promise<void> {
  if (imageUrl === NOT_AVAILABLE || imageUrlBack === NOT_AVAILABLE || imageUrl === imageUrlBack) return;
  const look = { company: gradingCompany, certNumber, front: imageUrl, back: imageUrlBack };
  await jobs.enqueueImageLook(trx, look);
}
