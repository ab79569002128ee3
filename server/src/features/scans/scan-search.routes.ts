import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { searchAnswerSchema, searchQuerySchema } from "@slabdesk/contract/api/search.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanSearchService } from "./scan-search.service.ts";

/** Rows of all sessions by a part of their text. */
export function scanSearchRoutes(search: ScanSearchService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/search",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary:
            "Your newest rows (an administrator's: everybody's) whose cert number, item name, player, brand or grading company contains a text",
          querystring: searchQuerySchema,
          response: { 200: searchAnswerSchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => search.search(viewerOf(request), request.query.q),
    );
  };
}
