import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { sessionDeletedSchema } from "@slabdesk/contract/api/stats.ts";
import { admin, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { DeletionService } from "./deletion.service.ts";
import type { SessionsService } from "./sessions.service.ts";

export function deletionRoutes(sessions: SessionsService, deletion: DeletionService): FastifyPluginAsyncZod {
  return async (app) => {
    app.delete(
      "/api/scan-sessions/:id",
      {
        onRequest: [admin],
        schema: {
          tags: ["scan sessions"],
          summary: "Delete any user's session and its results",
          params: byId,
          response: { 200: sessionDeletedSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await sessions.authorize(viewer, request.params.id);
        return { success: true as const, deletedResults: await deletion.delete(viewer, session) };
      },
    );
  };
}
