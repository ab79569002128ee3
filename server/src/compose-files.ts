import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Config } from "./config.ts";
import { exportsRoutes } from "./features/exports/exports.routes.ts";
import { createExportsService } from "./features/exports/exports.service.ts";
import { imagesRoutes } from "./features/images/images.routes.ts";
import { createImagesService } from "./features/images/images.service.ts";
import { createSheetPicturesService } from "./features/images/sheet-pictures.service.ts";
import type { ScansService } from "./features/scans/scans.service.ts";
import { createImageFetcher } from "./lanes/image-door.ts";

type FileParts = {
  config: Config;
  scans: ScansService;
  dataDir: string;
  log: FastifyBaseLogger;
  report: (error: Error) => void;
  now: () => Date;
};

/** Constructs what gives pictures and files out. */
export function composeFiles({ config, scans, dataDir, log, report, now }: FileParts): {
  routes: FastifyPluginAsyncZod[];
  close(): Promise<void>;
} {
  const imageFetcher = createImageFetcher({ allowedHosts: config.IMAGE_HOSTS, timeoutMs: config.REQUEST_TIMEOUT_MS });
  const images = createImagesService({
    scans,
    fetchImage: imageFetcher.fetchImage,
    cacheDir: join(dataDir, "images"),
    report,
  });
  const files = createExportsService({
    scans,
    images,
    sheetPictures: createSheetPicturesService(images),
    warn: (details, words) => log.warn(details, words),
    now,
  });
  return { routes: [exportsRoutes(files), imagesRoutes(images)], close: () => imageFetcher.close() };
}
