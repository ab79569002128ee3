import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { sessionMemoryQuerySchema, sessionMemorySchema } from "@slabdesk/contract/api/memory.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanMemoryService } from "./scan-memory.service.ts";
import type { ScansService } from "./scans.service.ts";

/** Who looked a session's cards up before. */
export function scanMemoryRoutes(scans: ScansService, memory: ScanMemoryService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-sessions/:id/memory",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary:
            "Earlier look-ups of a session's cards, page by page: your own in full, a colleague's by name and time, and which cards stand in another open session",
          params: z.object({ id: z.string().max(100) }),
          querystring: sessionMemoryQuerySchema,
          response: { 200: sessionMemorySchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await scans.authorize(viewer, request.params.id);
        return memory.ofSession(viewer, session, request.query);
      },
    );
  };
}
