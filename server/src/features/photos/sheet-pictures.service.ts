import sharp from "sharp";
import { HttpError } from "../../http/http-error.ts";
import type { Viewer } from "../sessions/sessions.service.ts";
import type { ImagesService } from "./images.service.ts";

export type SheetPicturesService = ReturnType<typeof createSheetPicturesService>;

/** Twice the display width, for high-density screens. */
const WIDTH = 192;

/** Creates thumbnails for spreadsheets. Uses JPEG, because many spreadsheet programs can't read WebP. */
export function createSheetPicturesService(images: Pick<ImagesService, "jpeg">) {
  return {
    /**
     * Returns a thumbnail of a row's front picture with its size in pixels.
     *
     * @throws HttpError if there is no picture, it belongs to another user's row, or it can't be fetched or read
     */
    async thumbnail(viewer: Viewer, rowId: string): Promise<{ bytes: Buffer; width: number; height: number }> {
      try {
        const bytes = await images.jpeg(viewer, rowId, "front", WIDTH);
        const { width, height } = await sharp(bytes).metadata();
        return { bytes, width, height };
      } catch (error) {
        if (error instanceof HttpError) throw error;
        throw new HttpError(502, "unavailable", "The picture cannot be read", { cause: error });
      }
    },
  };
}
