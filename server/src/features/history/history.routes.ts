import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { sessionLookupHistoryQuerySchema, sessionLookupHistorySchema } from "@slabdesk/contract/api/lookup-history.ts";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { searchAnswerSchema, searchQuerySchema } from "@slabdesk/contract/api/search.ts";
import type { Context } from "../../context.ts";
import { heavyWork, READING_MS } from "../../concurrency/budgets.ts";
import { holdPlace, largePages } from "../../http/concurrent-requests.ts";
import { viewerOf } from "../../http/guards.ts";
import { onRow, onSession, signedInRoute, unparsedAnswer } from "../../http/route-schemas.ts";
import { historyOfSession, provenanceOf } from "./lookup-history.service.ts";
import { searchRows } from "./search.service.ts";

export function historyRoutes(context: Context): FastifyPluginAsyncZod {
  const { db, sessions } = context;
  return async (app) => {
    app.get(
      "/api/scan-sessions/:id/lookup-history",
      onSession(sessionLookupHistorySchema, {
        summary:
          "List earlier lookups of a session's cards, in pages: yours in full, other users' by name and date, and which cards are in another open session",
        querystring: sessionLookupHistoryQuerySchema,
      }),
      async (request, reply) => {
        const viewer = viewerOf(request);
        const session = await sessions.open(viewer, request.params.id);
        await holdPlace(largePages, request, reply);
        return heavyWork.charge(viewer.id, () => historyOfSession(db, viewer, session, request.query), READING_MS);
      },
    );

    app.get(
      "/api/scan-results/:id/provenance",
      onRow(provenanceSchema, { summary: "Get a row's original line, lookup attempts and quotes" }),
      async (request) => {
        const viewer = viewerOf(request);
        return provenanceOf(db, viewer, await sessions.authorizeRow(viewer, request.params.id));
      },
    );

    app.get(
      "/api/scan-results/search",
      signedInRoute(searchAnswerSchema, {
        tags: ["scan results"],
        summary:
          "Search your newest rows (for admins, everyone's) by a substring of cert number, item name, player, brand or grading company",
        querystring: searchQuerySchema,
        options: unparsedAnswer,
      }),
      async (request) => {
        const viewer = viewerOf(request);
        await sessions.logSearch(viewer);
        return searchRows(db, viewer, request.query.q);
      },
    );
  };
}
