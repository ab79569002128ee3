import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { sessionLookupHistoryQuerySchema, sessionLookupHistorySchema } from "@slabdesk/contract/api/lookup-history.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanLookupHistoryService } from "./lookup-history.service.ts";
import type { ScansService } from "../sessions/sessions.service.ts";

/** Look-up history of a session's cards. */
export function scanLookupHistoryRoutes(
  scans: ScansService,
  lookupHistory: ScanLookupHistoryService,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-sessions/:id/lookup-history",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary:
            "List earlier look-ups of a session's cards, in pages: yours in full, other users' by name and date, and which cards are in another open session",
          params: z.object({ id: z.string().max(100) }),
          querystring: sessionLookupHistoryQuerySchema,
          response: { 200: sessionLookupHistorySchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await scans.authorize(viewer, request.params.id);
        return lookupHistory.ofSession(viewer, session, request.query);
      },
    );
  };
}
