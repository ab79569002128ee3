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
