import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { LARGEST_PHOTO_BYTES, OWN_PHOTO_PATH, PHOTO_TYPES } from "@slabdesk/contract/api/photos.ts";
import {
  imageQuerySchema,
  imageSideSchema,
  resultRowSchema,
  swapImagesSchema,
} from "@slabdesk/contract/api/results.ts";
import { heavyWork, imageLoads } from "../../concurrency/budgets.ts";
import { createShares } from "../../concurrency/shares.ts";
import { holdPlace, refusalOf, withPlace } from "../../http/concurrent-requests.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { onRow, pathId, signedInRoute } from "../../http/route-schemas.ts";
import { endSlowBodies } from "../../http/request-bodies.ts";
import { type Image, type ImagesService, isFullSize } from "./images.service.ts";
import { NO_PHOTO, PHOTO_TOO_LARGE, type OwnPhotosService } from "./own-photos.service.ts";

const tags = ["scan results"];
const params = z.object({ id: pathId, side: imageSideSchema });
const TOO_MANY = "Your other photos are still uploading. Wait for them, then try again";
const TOO_MANY_SHOWN = "Your other images are still being loaded. Wait for them, then try again";
const IMAGE_PATH = "/api/scan-results/:id/image/:side";

/** What a cached image costs, and what its size adds. The wait for a grader's host isn't work. */
const IMAGE_MS = 1;
const BYTES_PER_MS = 200_000;
// A host that hangs delays only other images.
const ofImages = { total: Infinity, budgets: imageLoads, refuse: refusalOf(TOO_MANY_SHOWN) };
const shown = createShares({ ...ofImages, each: 20, waiting: 2_000 });
const fullSize = createShares({ ...ofImages, each: 2, waiting: 100 });

export function imagesRoutes(images: ImagesService, ownPhotos: OwnPhotosService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      IMAGE_PATH,
      signedInRoute(z.unknown(), {
        tags,
        summary: "Get a row's image: a thumbnail of at least `width` pixels, or the full size",
        params,
        querystring: imageQuerySchema,
        produces: ["image/*"],
        options: { onRequest: [signedIn, withPlace(shown)] },
      }),
      async (request, reply) => {
        const { id, side } = request.params;
        if (isFullSize(request.query.width)) await holdPlace(fullSize, request, reply);
        imageLoads.spend(viewerOf(request).id, IMAGE_MS);
        const image = await images.get(viewerOf(request), id, side, request.query.width);
        return sendImage(request, reply, image, `${id}-${side}`);
      },
    );

    app.patch(
      "/api/scan-results/:id/images",
      onRow(resultRowSchema, { summary: "Swap a row's front and back images", body: swapImagesSchema }),
      async (request) => ownPhotos.swap(viewerOf(request), request.params.id),
    );
  };
}

export function ownPhotosRoutes(photos: OwnPhotosService, slowBodyMs: number): FastifyPluginAsyncZod {
  const common = { total: 16, each: 2, waiting: 10, patienceMs: 30_000 };
  const bodies = createShares({ ...common, budgets: heavyWork, refuse: refusalOf(TOO_MANY) });
  return async (app) => {
    app.addContentTypeParser([...PHOTO_TYPES], { parseAs: "buffer" }, (_request, body, done) => done(null, body));

    app.put(
      IMAGE_PATH,
      signedInRoute(resultRowSchema, {
        tags,
        summary: `Upload a photo (${PHOTO_TYPES.join(", ")}) that replaces the grader's image`,
        consumes: [...PHOTO_TYPES],
        params,
        options: {
          onRequest: [signedIn, withPlace(bodies)],
          preParsing: endSlowBodies(slowBodyMs),
          bodyLimit: LARGEST_PHOTO_BYTES,
          errorHandler: (error) => {
            throw inMessage(error);
          },
        },
      }),
      async (request) => {
        const { id, side } = request.params;
        const { body } = request;
        // The server parses JSON on every route; reject it here.
        if (!Buffer.isBuffer(body)) throw new HttpError(415, "unsupported_media_type", NO_PHOTO);
        return photos.put(viewerOf(request), id, side, body);
      },
    );

    app.delete(
      IMAGE_PATH,
      signedInRoute(resultRowSchema, {
        tags,
        summary: "Delete an uploaded photo; the row shows the grader's image again",
        params,
      }),
      async (request) => photos.remove(viewerOf(request), request.params.id, request.params.side),
    );

    app.get(
      `${OWN_PHOTO_PATH}:id`,
      onRow(z.unknown(), {
        summary: "Get an uploaded photo of a card",
        produces: ["image/jpeg"],
        options: { onRequest: [signedIn, withPlace(fullSize)] },
      }),
      async (request, reply) => {
        const { id } = request.params;
        imageLoads.spend(viewerOf(request).id, IMAGE_MS);
        return sendImage(request, reply, await photos.photo(viewerOf(request), id), `photo-${id}`);
      },
    );
  };
}

/** Replaces the HTTP server's 413 and 415 errors with messages about photos. */
function inMessage(error: Error & { statusCode?: number }): Error {
  if (error instanceof HttpError) return error;
  if (error.statusCode === 413) return new HttpError(413, "too_large", PHOTO_TOO_LARGE, { cause: error });
  if (error.statusCode === 415) return new HttpError(415, "unsupported_media_type", NO_PHOTO, { cause: error });
  return error;
}

/** Headers that block scripts, forms, frames and MIME sniffing if a user opens an image as a page. */
const HARMLESS = {
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Sends an image, or 304 if the browser has it. Sets a file name, so that saved images have distinct names. */
function sendImage(request: FastifyRequest, reply: FastifyReply, image: Image, name: string): FastifyReply {
  imageLoads.spend(viewerOf(request).id, image.bytes.length / BYTES_PER_MS);
  const etag = `"${hash("sha256", image.bytes, "base64url")}"`;
  // A browser keeps images only for the auth session in its cookie.
  void reply.headers({ ...HARMLESS, etag, "cache-control": "private, max-age=600", vary: "cookie" });
  const kept = request.headers["if-none-match"]?.split(",") ?? [];
  if (kept.some((one) => one.trim().replace(/^W\//, "") === etag)) return reply.code(304).send();
  const ending = image.contentType.replace("image/", "").replace("jpeg", "jpg");
  return reply
    .headers({
      "content-type": image.contentType,
      "content-disposition": `inline; filename="${name.replace(/[^\w-]/g, "_")}.${ending}"`,
    })
    .send(image.bytes);
}
