import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { RowAmendment } from "../rows-store.ts";

/** The fields that a swap or a photo changes. The response's other fields may be older than the row in the table. */
export function imagesOf({ id, imageUrl, imageUrlBack, imageFlags }: ResultRow): RowAmendment {
  return { id, imageUrl, imageUrlBack, imageFlags };
}
