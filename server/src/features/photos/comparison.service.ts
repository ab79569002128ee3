import type { Card } from "@slabdesk/contract/api/cards.ts";
import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { ImageComparison, Jobs } from "../../jobs/jobs.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";

type ComparisonJobs = Pick<Jobs, "enqueueImageComparison">;

/**
 * Enqueues a comparison of a card's two pictures in the transaction that settles it. Skips cards with fewer than two
 * pictures or with the same URL for both.
 */
export async function requestImageComparison(
  trx: DatabaseTransaction,
  jobs: ComparisonJobs,
  { gradingCompany, certNumber, imageUrl, imageUrlBack }: Card,
): Promise<void> {
  const look = { company: gradingCompany, certNumber, front: imageUrl, back: imageUrlBack };
  if (needsReview(look)) await jobs.enqueueImageComparison(trx, look);
}

/** Enqueues a comparison for a row whose pictures became available after its first comparison. */
export async function askToLookAgain(db: Database, jobs: ComparisonJobs, row: RowRecord): Promise<void> {
  const { grading_company: company, cert_number: certNumber, front_image_url: front, back_image_url: back } = row;
  if (row.same_sides || front === null || back === null) return;
  const look = { company, certNumber, front, back };
  if (needsReview(look)) await db.transaction().execute((trx) => jobs.enqueueImageComparison(trx, look));
}

/** User photos are not compared. */
function needsReview({ front, back }: ImageComparison): boolean {
  return front !== back && ![front, back].some((url) => url === NOT_AVAILABLE || isOwnPhoto(url));
}
