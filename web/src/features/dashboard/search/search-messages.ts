import { type FoundRow, MAX_FOUND, type SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { parseCertUrl } from "@slabdesk/contract/certs/cert-url.ts";
import { lookUpDay, valuesMessage } from "../../../table/lookup-history-messages.ts";
import { rowTitle } from "../../../table/row-messages.ts";

/** What is looked for: the text as it was typed or, where a scanner read the link of a slab's code, its number. */
export function soughtIn(text: string): string {
  return parseCertUrl(text)?.number ?? text.trim();
}

/** The label a result goes by: the card's, or SPEC's for a row without one. */
export function foundLabel(row: FoundRow): string {
  return rowTitle(row) ?? `${row.gradingCompany} ${row.certNumber}`.trim();
}

/** "12 results", "The 50 newest results". */
export function countWords({ results }: Pick<SearchAnswer, "results">): string {
  if (results.length >= MAX_FOUND) return `The ${MAX_FOUND} newest results`;
  return `${results.length} ${results.length === 1 ? "result" : "results"}`;
}

/** Said when not everything was looked through; null when it was. */
export function newestOnlyMessage({ newestOnly }: Pick<SearchAnswer, "newestOnly">): string | null {
  if (newestOnly === null) return null;
  return `Only the newest ${newestOnly.toLocaleString("en-US")} rows were searched. Three letters or digits in a row search all of them.`;
}

/** Whose row it is, where that is somebody else; their email when they have no name. */
export function ownerMessage({ owner }: Pick<FoundRow, "owner">, ownEmail: string): string | null {
  if (owner === undefined || owner.email === ownEmail) return null;
  return owner.fullName.trim() === "" ? owner.email : owner.fullName;
}

/** "3 May, $410 then, $455 now": when the card was looked up, and what it was worth then and is now, as far as is known. */
export function thenMessage({ processedAt, values }: Pick<FoundRow, "processedAt" | "values">, nowMs: number): string {
  const day = processedAt === null ? [] : [lookUpDay(processedAt, nowMs)];
  return [...day, valuesMessage(values) ?? []].flat().join(", ");
}
