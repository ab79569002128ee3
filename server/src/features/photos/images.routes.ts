import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { imageQuerySchema, imageSideSchema } from "@slabdesk/contract/api/results.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { sendPicture } from "./image-answer.ts";
import type { ImagesService } from "./images.service.ts";

export function imagesRoutes(images: ImagesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/:id/image/:side",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Get a row's picture: a thumbnail of at least `width` pixels, or the full size",
          params: z.object({ id: z.string().max(100), side: imageSideSchema }),
          querystring: imageQuerySchema,
          produces: ["image/*"],
          response: { 200: z.unknown(), "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request, reply) => {
        const { id, side } = request.params;
        const picture = await images.picture(viewerOf(request), id, side, request.query.width);
        return sendPicture(request, reply, picture, `${id}-${side}`);
      },
    );
  };
}
