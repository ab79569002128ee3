import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { changedRowsSchema, reviewedSchema } from "@slabdesk/contract/api/results.ts";
import type { Context } from "../../context.ts";
import { viewerOf } from "../../http/guards.ts";
import { onSelection } from "../../http/route-schemas.ts";
import { markReviewed } from "./review.service.ts";

export function reviewRoutes({ db, sessions }: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/reviewed",
      onSelection(changedRowsSchema, {
        summary: "Mark rows as reviewed or as needing review. Returns the first 2,000 rows that changed",
        body: reviewedSchema,
      }),
      async (request) => {
        const session = await sessions.open(viewerOf(request), request.params.id);
        return { results: await markReviewed(db, viewerOf(request), session, request.body) };
      },
    );
  };
}
