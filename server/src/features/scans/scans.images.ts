import type { Card } from "@slabdesk/contract/api/cards.ts";
import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { ImageComparison, Jobs } from "../../jobs/jobs.ts";
import type { RowRecord } from "./scans.present.ts";

type ComparisonJobs = Pick<Jobs, "enqueueImageComparison">;

/**
 * Asks that somebody looks whether a card's two pictures are one, in the transaction that settles it. A card with fewer
 * than two, or with one address for both, is known without a look.
 */
export async function requestImageComparison(
  trx: DatabaseTransaction,
  jobs: ComparisonJobs,
  { gradingCompany, certNumber, imageUrl, imageUrlBack }: Card,
): Promise<void> {
  const look = { company: gradingCompany, certNumber, front: imageUrl, back: imageUrlBack };
  if (needsReview(look)) await jobs.enqueueImageComparison(trx, look);
}

/** The same for a row whose pictures came late, after the look that followed its look-up. */
export async function askToLookAgain(db: Database, jobs: ComparisonJobs, row: RowRecord): Promise<void> {
  const { grading_company: company, cert_number: certNumber, front_image_url: front, back_image_url: back } = row;
  if (row.same_sides || front === null || back === null) return;
  const look = { company, certNumber, front, back };
  if (needsReview(look)) await db.transaction().execute((trx) => jobs.enqueueImageComparison(trx, look));
}

/** Own photos are not compared. */
function needsReview({ front, back }: ImageComparison): boolean {
  return front !== back && ![front, back].some((url) => url === NOT_AVAILABLE || isOwnPhoto(url));
}
