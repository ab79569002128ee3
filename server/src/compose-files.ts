import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import type { ActivityService } from "./features/activity/activity.service.ts";
import { exportsRoutes } from "./features/exports/exports.routes.ts";
import { createExportsService } from "./features/exports/exports.service.ts";
import { imagesRoutes } from "./features/photos/images.routes.ts";
import { createImagesService, type ImagesService } from "./features/photos/images.service.ts";
import { createOriginals } from "./features/photos/originals.ts";
import { ownPhotosRoutes } from "./features/photos/own-photos.routes.ts";
import { createOwnPhotosService } from "./features/photos/own-photos.service.ts";
import { createPictureCache } from "./features/photos/picture-cache.ts";
import { createSheetPicturesService } from "./features/photos/sheet-pictures.service.ts";
import { createScanImagesService } from "./features/photos/row-photos.service.ts";
import { askToLookAgain } from "./features/photos/comparison.ts";
import type { RowRecord } from "./features/sessions/sessions.present.ts";
import type { ScansService } from "./features/sessions/sessions.service.ts";
import type { Jobs } from "./jobs/jobs.ts";
import { createImageFetcher } from "./upstreams/image-endpoint.ts";

type FileParts = {
  config: Config;
  db: Database;
  jobs: Pick<Jobs, "enqueueImageComparison">;
  scans: ScansService;
  activity: ActivityService;
  dataDir: string;
  log: FastifyBaseLogger;
  report: (error: Error) => void;
  now: () => Date;
};

const MEGABYTE = 1_000_000;

/** Builds the services that serve pictures and files. */
export function composeFiles({ config, db, jobs, scans, activity, dataDir, log, report, now }: FileParts): {
  images: ImagesService;
  routes: FastifyPluginAsyncZod[];
  close(): Promise<void>;
} {
  const imageFetcher = createImageFetcher({ allowedHosts: config.IMAGE_HOSTS, timeoutMs: config.REQUEST_TIMEOUT_MS });
  const cache = createPictureCache({
    folder: join(dataDir, "images"),
    limitBytes: config.IMAGE_CACHE_MB * MEGABYTE,
    report,
    now,
  });
  const scanImages = createScanImagesService({ db, activity });
  const originals = createOriginals({
    cache,
    fetchImage: imageFetcher.fetchImage,
    ownPhoto: scanImages.photoOfRow,
    now,
  });
  let isClosing = false;
  const cameLate = async (row: RowRecord): Promise<void> => {
    // If the browser disconnects, its request can still run after the server has closed its database connections.
    if (!isClosing) await askToLookAgain(db, jobs, row);
  };
  const images = createImagesService({ scans, originals, cache, cameLate });
  const ownPhotos = createOwnPhotosService({ scans, scanImages, images });
  const files = createExportsService({
    scans,
    images,
    replacedBy: scanImages.replacedBy,
    sheetPictures: createSheetPicturesService(images),
    publicUrl: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    warn: (details, message) => log.warn(details, message),
    now,
  });
  return {
    images,
    routes: [exportsRoutes(files), imagesRoutes(images), ownPhotosRoutes(ownPhotos)],
    async close() {
      isClosing = true;
      await Promise.all([imageFetcher.close(), cache.close()]);
    },
  };
}
