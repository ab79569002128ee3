import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import type { Database } from "../../database/connection.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import { listReplaced } from "./row-photos.repo.ts";

export type ExportedPhotosService = ReturnType<typeof createExportedPhotosService>;
export type ExportedPhotosParts = {
  db: Database;
  /** The base URL of the web app, without a trailing slash. */
  publicUrl: string;
};

/** User photos in exported rows. The caller must have authorized the viewer for the rows. */
export function createExportedPhotosService({ db, publicUrl }: ExportedPhotosParts) {
  return {
    /** Replaces the URLs of uploaded photos with absolute URLs, which a signed-in reader of the file can open. */
    async *withOwnPhotos(pages: AsyncIterable<StreamedRow[]>): AsyncGenerator<StreamedRow[]> {
      for await (const rows of pages) yield withUrls(rows, (url) => publicUrl + url);
    },

    /** Replaces uploaded photos with the grader's pictures, if any, because the public can't open the photos. */
    async *withGradersPictures(pages: AsyncIterable<StreamedRow[]>): AsyncGenerator<StreamedRow[]> {
      for await (const rows of pages) {
        const urls = rows.flatMap(({ row }) => [row.imageUrl, row.imageUrlBack]);
        const replaced = await listReplaced(db, urls.filter((url) => url !== null).filter(isOwnPhoto));
        yield withUrls(rows, (url) => replaced.get(url) ?? null);
      }
    },
  };
}

function withUrls(rows: readonly StreamedRow[], change: (ownUrl: string) => string | null): StreamedRow[] {
  const isOwn = (url: string | null): url is string => url !== null && isOwnPhoto(url);
  const urlOf = (url: string | null): string | null => (isOwn(url) ? change(url) : url);
  return rows.map((streamed) => {
    const { imageUrl, imageUrlBack } = streamed.row;
    if (!isOwn(imageUrl) && !isOwn(imageUrlBack)) return streamed;
    return { ...streamed, row: { ...streamed.row, imageUrl: urlOf(imageUrl), imageUrlBack: urlOf(imageUrlBack) } };
  });
}
