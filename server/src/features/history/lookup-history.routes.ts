import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { sessionLookupHistoryQuerySchema, sessionLookupHistorySchema } from "@slabdesk/contract/api/lookup-history.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { LookupHistoryService } from "./lookup-history.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

/** Look-up history of a session's cards. */
export function lookupHistoryRoutes(
  sessions: SessionsService,
  lookupHistory: LookupHistoryService,
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
          params: byId,
          querystring: sessionLookupHistoryQuerySchema,
          response: { 200: sessionLookupHistorySchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await sessions.authorize(viewer, request.params.id);
        return lookupHistory.ofSession(viewer, session, request.query);
      },
    );
  };
}
