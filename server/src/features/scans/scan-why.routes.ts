import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { whySchema } from "@slabdesk/contract/api/why.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanWhyService } from "./scan-why.service.ts";
import type { ScansService } from "./scans.service.ts";

export function scanWhyRoutes(scans: ScansService, whys: ScanWhyService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/scan-results/:id/why",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Why a row is what it is: its line as uploaded, each attempt at its card, the prices as they were",
          params: z.object({ id: z.string().max(100) }),
          response: { 200: whySchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return whys.why(viewer, await scans.authorizeRow(viewer, request.params.id));
      },
    );
  };
}
