import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { changedRowsSchema, reviewedSchema } from "@slabdesk/contract/api/results.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { ReviewService } from "./review.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

export function reviewRoutes(sessions: SessionsService, reviewed: ReviewService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/reviewed",
      {
        onRequest: [signedIn],
        bodyLimit: LARGEST_SELECTION_BYTES,
        schema: {
          tags: ["scan sessions"],
          summary: "Mark rows as reviewed or as needing review. Returns the first 2,000 rows that changed",
          params: byId,
          body: reviewedSchema,
          response: { 200: changedRowsSchema, ...errors },
        },
      },
      async (request) => {
        const session = await sessions.authorize(viewerOf(request), request.params.id);
        const { rowIds, isReviewed } = request.body;
        return { results: await reviewed.setReviewed(session, rowIds.map(Number), isReviewed) };
      },
    );
  };
}
