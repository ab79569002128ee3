import type { StreamedRow } from "../scans/scans.service.ts";

/**
 * The rows a shop can list: those whose card was found, each certificate once, as one slab cannot be sold twice. The
 * first row of a certificate stands for it.
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
