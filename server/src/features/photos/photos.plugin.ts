import { join } from "node:path";
import type { Context } from "../../context.ts";
import { registerAll } from "../../http/route-schemas.ts";
import { createImageFetcher } from "../../upstreams/image-endpoint.ts";
import type { CertsService } from "../certs/certs.service.ts";
import { requestComparison, workImageComparisons, workLateImages } from "./comparison.service.ts";
import { createImageCache } from "./image-cache.store.ts";
import { createImagesService } from "./images.service.ts";
import { createOriginals } from "./originals.service.ts";
import { createOwnPhotosService, findOwnPhoto } from "./own-photos.service.ts";
import { imagesRoutes, ownPhotosRoutes } from "./photos.routes.ts";

export function photosFeature(context: Context, { certs }: { certs: CertsService }) {
  const { config, db, dataDir, jobs, now, report, intervals } = context;
  const { fetchImage, close: closeFetcher } = createImageFetcher({
    allowedHosts: config.IMAGE_HOSTS,
    timeoutMs: config.REQUEST_TIMEOUT_MS,
  });
  const limitBytes = config.IMAGE_CACHE_MB * 1_000_000;
  const cache = createImageCache({ folder: join(dataDir, "images"), limitBytes, report, now });
  const ownPhoto = async (photoId: string) => (await findOwnPhoto(db, photoId))?.bytes ?? null;
  const originals = createOriginals({ cache, fetchImage, ownPhoto, now });
  let isClosing = false;
  const images = createImagesService(context.sessions, originals, cache, async (row) => {
    // If the browser disconnects, its request can still run after the server has closed its database connections.
    if (!isClosing) await requestComparison(db, jobs, row);
  });
  const parts = { ...context, certs, images };
  const ownPhotos = createOwnPhotosService(parts);
  return {
    images,
    plugin: registerAll(imagesRoutes(images, ownPhotos), ownPhotosRoutes(ownPhotos, intervals.slowBodyMs)),
    work: () => workImageComparisons(parts),
    fetchLateImages: () => workLateImages(parts),
    /** Aborts image fetches in flight, so that no job waits for them. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all([closeFetcher(), cache.close()]);
    },
  };
}
