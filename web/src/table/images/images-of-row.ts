import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { RowAmendment } from "../rows-store.ts";

/** What a swap or an own photo changes about a row. The rest of the answer may be older than the row in the table. */
export function imagesOf({ id, imageUrl, imageUrlBack, imageFlags }: ResultRow): RowAmendment {
  return { id, imageUrl, imageUrlBack, imageFlags };
}
