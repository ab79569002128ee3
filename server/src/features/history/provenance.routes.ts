import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanProvenanceService } from "./provenance.service.ts";
import type { ScansService } from "../sessions/sessions.service.ts";

export function scanProvenanceRoutes(scans: ScansService, provenances: ScanProvenanceService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/:id/provenance",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Get a row's provenance: its original line, look-up attempts, quotes and look-up history",
          params: z.object({ id: z.string().max(100) }),
          response: { 200: provenanceSchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return provenances.provenance(viewer, await scans.authorizeRow(viewer, request.params.id));
      },
    );
  };
}
