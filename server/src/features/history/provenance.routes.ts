import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { ProvenanceService } from "./provenance.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

export function provenanceRoutes(sessions: SessionsService, provenances: ProvenanceService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/:id/provenance",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Get a row's provenance: its original line, look-up attempts, quotes and look-up history",
          params: byId,
          response: { 200: provenanceSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return provenances.provenance(viewer, await sessions.authorizeRow(viewer, request.params.id));
      },
    );
  };
}
