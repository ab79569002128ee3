import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { changedRowsSchema, reviewedSchema } from "@slabdesk/contract/api/results.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanReviewedService } from "./review.service.ts";
import type { ScansService } from "../sessions/sessions.service.ts";

export function scanReviewedRoutes(scans: ScansService, reviewed: ScanReviewedService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/reviewed",
      {
        onRequest: [signedIn],
        bodyLimit: LARGEST_SELECTION_BYTES,
        schema: {
          tags: ["scan sessions"],
          summary: "Mark rows as reviewed or as needing review. Returns the first 2,000 rows that changed",
          params: z.object({ id: z.string().max(100) }),
          body: reviewedSchema,
          response: { 200: changedRowsSchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => {
        const session = await scans.authorize(viewerOf(request), request.params.id);
        const { rowIds, isReviewed } = request.body;
        return { results: await reviewed.setReviewed(session, rowIds.map(Number), isReviewed) };
      },
    );
  };
}
