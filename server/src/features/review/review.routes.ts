import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { changedRowsSchema, reviewedSchema } from "@slabdesk/contract/api/results.ts";
import { viewerOf } from "../../http/guards.ts";
import { LARGEST_SELECTION_BYTES, onSession } from "../../http/route-schemas.ts";
import type { ReviewService } from "./review.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

export function reviewRoutes(sessions: SessionsService, reviewed: ReviewService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/reviewed",
      {
        ...onSession(changedRowsSchema, {
          summary: "Mark rows as reviewed or as needing review. Returns the first 2,000 rows that changed",
          body: reviewedSchema,
        }),
        bodyLimit: LARGEST_SELECTION_BYTES,
      },
      async (request) => {
        const session = await sessions.authorize(viewerOf(request), request.params.id);
        const { rowIds, isReviewed } = request.body;
        return { results: await reviewed.setReviewed(session, rowIds.map(Number), isReviewed) };
      },
    );
  };
}
