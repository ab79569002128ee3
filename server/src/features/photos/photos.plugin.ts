import { join } from "node:path";
import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { createImageFetcher } from "../../upstreams/image-endpoint.ts";
import type { CertsService } from "../certs/certs.service.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";
import { requestComparison, workImageComparisons } from "./comparison.service.ts";
import { createExportedPhotosService } from "./exported-photos.service.ts";
import { createImagesService } from "./images.service.ts";
import { workLatePictures } from "./late-pictures.jobs.ts";
import { createOriginals } from "./originals.service.ts";
import { createOwnPhotosService, readOwnPhoto } from "./own-photos.service.ts";
import { imagesRoutes, ownPhotosRoutes } from "./photos.routes.ts";
import { createPictureCache } from "./picture-cache.store.ts";

const MEGABYTE = 1_000_000;

export function photosFeature(
  { config, db, dataDir, jobs, now, report, intervals, activity, sessions, upstreams }: Context,
  { certs }: { certs: CertsService },
) {
  const { fetchImage, close: closeFetcher } = createImageFetcher({
    allowedHosts: config.IMAGE_HOSTS,
    timeoutMs: config.REQUEST_TIMEOUT_MS,
  });
  const limitBytes = config.IMAGE_CACHE_MB * MEGABYTE;
  const cache = createPictureCache({ folder: join(dataDir, "images"), limitBytes, report, now });
  const originals = createOriginals({ cache, fetchImage, ownPhoto: (photoId) => readOwnPhoto(db, photoId, null), now });
  let isClosing = false;
  const onFetched = async (row: RowRecord): Promise<void> => {
    // If the browser disconnects, its request can still run after the server has closed its database connections.
    if (!isClosing) await requestComparison(db, jobs, row);
  };
  const images = createImagesService({ sessions, originals, cache, onFetched });
  const ownPhotos = createOwnPhotosService({
    db,
    activity,
    sessions,
    images,
    photosMbPerPerson: config.PHOTOS_MB_PER_PERSON,
  });
  return {
    images,
    exportedPhotos: createExportedPhotosService({
      db,
      publicUrl: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    }),
    plugin: registerAll(imagesRoutes(images, ownPhotos), ownPhotosRoutes(ownPhotos, intervals.slowBodyMs)),
    work: () => workImageComparisons({ db, jobs, images, closing: upstreams.lanes.closing }),
    fetchLatePictures: () =>
      workLatePictures({ db, jobs, certs, report }, intervals.latePicturesMs, upstreams.lanes.closing),
    /** Aborts picture fetches in flight, so that no job waits for them. */
    async close(): Promise<void> {
      isClosing = true;
      await Promise.all([closeFetcher(), cache.close()]);
    },
  };
}
