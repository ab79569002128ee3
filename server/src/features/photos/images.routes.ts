import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import {
  imageQuerySchema,
  imageSideSchema,
  resultRowSchema,
  swapImagesSchema,
} from "@slabdesk/contract/api/results.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors, pathId } from "../../http/route-schemas.ts";
import { sendPicture } from "./image-answer.ts";
import type { ImagesService } from "./images.service.ts";
import type { OwnPhotosService } from "./own-photos.service.ts";

export function imagesRoutes(images: ImagesService, ownPhotos: OwnPhotosService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/:id/image/:side",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Get a row's picture: a thumbnail of at least `width` pixels, or the full size",
          params: z.object({ id: pathId, side: imageSideSchema }),
          querystring: imageQuerySchema,
          produces: ["image/*"],
          response: { 200: z.unknown(), ...errors },
        },
      },
      async (request, reply) => {
        const { id, side } = request.params;
        const picture = await images.picture(viewerOf(request), id, side, request.query.width);
        return sendPicture(request, reply, picture, `${id}-${side}`);
      },
    );

    app.patch(
      "/api/scan-results/:id/images",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Swap a row's front and back pictures",
          params: byId,
          body: swapImagesSchema,
          response: { 200: resultRowSchema, ...errors },
        },
      },
      async (request) => ownPhotos.swap(viewerOf(request), request.params.id),
    );
  };
}
