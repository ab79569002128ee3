import { type FoundRow, MAX_FOUND, type SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { parseCertUrl } from "@slabdesk/contract/certs/cert-text.ts";
import { valuesMessage } from "../../../run/lookup-history-messages.ts";
import { rowTitle } from "../../../card/row-messages.ts";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

/** The search term: the typed text, or the cert number if a scanner read a slab's link. */
export function soughtIn(text: string): string {
  return parseCertUrl(text)?.number ?? text.trim();
}

/** A result's label: the card's title, or the company and number if the row has no title. */
export function foundLabel(row: FoundRow): string {
  return rowTitle(row) ?? `${row.gradingCompany} ${row.certNumber}`.trim();
}

/** "12 results", "The 50 newest results". */
export function countMessage({ results }: Pick<SearchAnswer, "results">): string {
  if (results.length >= MAX_FOUND) return `The ${MAX_FOUND} newest results`;
  return counted(results.length, "result");
}

/** The note that the search covered only the newest rows; null if it covered all. */
export function newestOnlyMessage({ newestOnly }: Pick<SearchAnswer, "newestOnly">): string | null {
  if (newestOnly === null) return null;
  return `Only the newest ${formatCount(newestOnly)} rows were searched. Type at least three letters or digits in a row to search all of them.`;
}

/** The owner's name, or email if there is no name; null for the user's own rows. */
export function ownerMessage({ owner }: Pick<FoundRow, "owner">, ownEmail: string): string | null {
  if (owner === undefined || owner.email === ownEmail) return null;
  return owner.fullName.trim() === "" ? owner.email : owner.fullName;
}

/** "May 3, 2026, $410 then, $455 now": when a card was looked up, its first and its current price, if known. */
export function thenMessage({ processedAt, values }: Pick<FoundRow, "processedAt" | "values">): string {
  const day = processedAt === null ? [] : [formatDay(processedAt)];
  return [...day, valuesMessage(values) ?? []].flat().join(", ");
}
