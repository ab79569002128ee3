import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { searchAnswerSchema, searchQuerySchema } from "@slabdesk/contract/api/search.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { errors } from "../../http/route-schemas.ts";
import type { SearchService } from "./search.service.ts";

/** Searches rows of all sessions by a substring. */
export function searchRoutes(search: SearchService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/search",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary:
            "Search your newest rows (for admins, everyone's) by a substring of cert number, item name, player, brand or grading company",
          querystring: searchQuerySchema,
          response: { 200: searchAnswerSchema, ...errors },
        },
      },
      async (request) => search.search(viewerOf(request), request.query.q),
    );
  };
}
