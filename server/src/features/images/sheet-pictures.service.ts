import sharp from "sharp";
import { HttpError } from "../../http/http-error.ts";
import type { Viewer } from "../scans/scans.service.ts";
import type { ImagesService } from "./images.service.ts";

export type SheetPicturesService = ReturnType<typeof createSheetPicturesService>;

/** Twice the width it is shown in, for sharp screens. */
const WIDTH = 192;

/** Thumbnails as spreadsheets show them: JPEG, as many of them cannot read WebP. Kept, as making one takes milliseconds. */
export function createSheetPicturesService(images: Pick<ImagesService, "jpeg">) {
  return {
    /**
     * The front picture of a row, small, with its size in pixels.
     *
     * @throws HttpError when there is none, it is somebody else's, or it cannot be fetched or read
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
