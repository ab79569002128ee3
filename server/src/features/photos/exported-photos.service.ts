import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import type { Context } from "../../context.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import { listReplaced } from "./row-photos.repo.ts";

type Pages = AsyncIterable<StreamedRow[]>;

/* User photos in exported rows. The caller must have authorized the viewer for the rows. */

/** Replaces the URLs of uploaded photos with absolute URLs, which a signed-in reader of the file can open. */
export async function* withOwnPhotos({ config }: Context, pages: Pages): AsyncGenerator<StreamedRow[]> {
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  for await (const rows of pages) yield withUrls(rows, (url) => publicUrl + url);
}

/** Replaces uploaded photos with the grader's pictures, if any, because the public can't open the photos. */
export async function* withGradersPictures({ db }: Context, pages: Pages): AsyncGenerator<StreamedRow[]> {
  for await (const rows of pages) {
    const urls = rows.flatMap(({ row }) => [row.imageUrl, row.imageUrlBack]);
    const replaced = await listReplaced(db, urls.filter((url) => url !== null).filter(isOwnPhoto));
    yield withUrls(rows, (url) => replaced.get(url) ?? null);
  }
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
