import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { LARGEST_PHOTO_BYTES, OWN_PHOTO_PATH, PHOTO_TYPES } from "@slabdesk/contract/api/photos.ts";
import { imageSideSchema, resultRowSchema } from "@slabdesk/contract/api/results.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { byId, errors, pathId } from "../../http/route-schemas.ts";
import { sendPicture } from "./image-answer.ts";
import { NO_PHOTO, PHOTO_TOO_LARGE, type OwnPhotosService } from "./own-photos.service.ts";

const tags = ["scan results"];
const bySide = z.object({ id: pathId, side: imageSideSchema });

export function ownPhotosRoutes(photos: OwnPhotosService): FastifyPluginAsyncZod {
  return async (app) => {
    app.addContentTypeParser([...PHOTO_TYPES], { parseAs: "buffer" }, (_request, body, done) => done(null, body));

    app.put(
      "/api/scan-results/:id/image/:side",
      {
        onRequest: [signedIn],
        bodyLimit: LARGEST_PHOTO_BYTES,
        errorHandler: (error) => {
          throw inMessage(error);
        },
        schema: {
          tags,
          summary: `Upload a photo (${PHOTO_TYPES.join(", ")}) that replaces the grader's picture`,
          consumes: [...PHOTO_TYPES],
          params: bySide,
          response: { 200: resultRowSchema, ...errors },
        },
      },
      async (request) => {
        const { id, side } = request.params;
        const { body } = request;
        // The server parses JSON on every route; reject it here.
        if (!Buffer.isBuffer(body)) throw new HttpError(415, "unsupported_media_type", NO_PHOTO);
        return photos.put(viewerOf(request), id, side, body);
      },
    );

    app.delete(
      "/api/scan-results/:id/image/:side",
      {
        onRequest: [signedIn],
        schema: {
          tags,
          summary: "Delete an uploaded photo; the row shows the grader's picture again",
          params: bySide,
          response: { 200: resultRowSchema, ...errors },
        },
      },
      async (request) => photos.remove(viewerOf(request), request.params.id, request.params.side),
    );

    app.get(
      `${OWN_PHOTO_PATH}:id`,
      {
        onRequest: [signedIn],
        schema: {
          tags,
          summary: "Get an uploaded photo of a card",
          params: byId,
          produces: ["image/jpeg"],
          response: { 200: z.unknown(), ...errors },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        return sendPicture(request, reply, await photos.photo(viewerOf(request), id), `photo-${id}`);
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
