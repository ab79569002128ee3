import type { StreamedRow } from "../sessions/sessions.service.ts";

/**
 * Filters the rows that a shop can list: the first found row of each cert, because a slab can't be sold twice.
 */
export async function* foundOnce(pages: AsyncIterable<StreamedRow[]>): AsyncGenerator<StreamedRow[]> {
  const seen = new Set<string>();
  for await (const rows of pages) {
    yield rows.filter(({ row }) => {
      const key = `${row.gradingCompany} ${row.certNumber}`;
      if (row.outcome !== "found" || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }
}
