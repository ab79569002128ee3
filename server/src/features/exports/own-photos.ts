import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import type { StreamedRow } from "../scans/scans.service.ts";

/** Rows whose own photos stand there as a file's reader can open them, signed in: by their whole address. */
export async function* withOwnPhotos(
  pages: AsyncIterable<StreamedRow[]>,
  publicUrl: string,
): AsyncGenerator<StreamedRow[]> {
  const whole = (url: string | null): string | null => (isOwnPhoto(url) ? `${publicUrl}${url}` : url);
  for await (const rows of pages) {
    yield rows.map(({ row, cells }) => ({
      row: { ...row, imageUrl: whole(row.imageUrl), imageUrlBack: whole(row.imageUrlBack) },
      cells,
    }));
  }
}

/** The graders' addresses in whose place own photos stand, by the photos' addresses. */
export type ReplacedBy = (ownUrls: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;

/** Rows as strangers can see their pictures: where an own photo stands, the grader's in whose place it does, if any. */
export async function* withGradersPictures(
  pages: AsyncIterable<StreamedRow[]>,
  replacedBy: ReplacedBy,
): AsyncGenerator<StreamedRow[]> {
  for await (const rows of pages) {
    const urls = rows.flatMap(({ row }) => [row.imageUrl, row.imageUrlBack]);
    const own = urls.flatMap((url) => (url !== null && isOwnPhoto(url) ? [url] : []));
    const replaced = own.length === 0 ? null : await replacedBy(own);
    const publicUrl = (url: string | null): string | null =>
      url !== null && isOwnPhoto(url) ? (replaced?.get(url) ?? null) : url;
    yield rows.map(({ row, cells }) => ({
      row: { ...row, imageUrl: publicUrl(row.imageUrl), imageUrlBack: publicUrl(row.imageUrlBack) },
      cells,
    }));
  }
}
