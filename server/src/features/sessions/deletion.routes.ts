import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { sessionDeletedSchema } from "@slabdesk/contract/api/stats.ts";
import { admin, viewerOf } from "../../http/guards.ts";
import type { ScanDeletionService } from "./deletion.service.ts";
import type { ScansService } from "./sessions.service.ts";

export function scanDeletionRoutes(scans: ScansService, deletion: ScanDeletionService): FastifyPluginAsyncZod {
  return async (app) => {
    app.delete(
      "/api/scan-sessions/:id",
      {
        onRequest: [admin],
        schema: {
          tags: ["scan sessions"],
          summary: "Delete any user's session and its results",
          params: z.object({ id: z.string().max(100) }),
          response: { 200: sessionDeletedSchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await scans.authorize(viewer, request.params.id);
        return { success: true as const, deletedResults: await deletion.delete(viewer, session) };
      },
    );
  };
}
