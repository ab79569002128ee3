import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";

/** Replaces the URLs of uploaded photos with absolute URLs, which a signed-in reader of the file can open. */
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

/** Returns the grader's picture URL that each uploaded photo replaced, by photo URL. */
export type ReplacedBy = (ownUrls: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;

/** Replaces uploaded photos with the grader's pictures, if any, because the public can't open the photos. */
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
