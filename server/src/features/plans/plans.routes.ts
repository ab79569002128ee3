import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { scanPlanRequestSchema, scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanPlansService } from "./plans.service.ts";
import { LARGEST_UPLOAD_BYTES, limitLargeUploads } from "../sessions/sessions.routes.ts";

/** Plans of runs. */
export function scanPlansRoutes(plans: ScanPlansService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-plans",
      {
        onRequest: [signedIn, limitLargeUploads()],
        bodyLimit: LARGEST_UPLOAD_BYTES,
        schema: {
          tags: ["scan sessions"],
          summary: "Plan a run of a sheet that starts now: counts, calls, quota, waits and minutes",
          body: scanPlanRequestSchema,
          response: { 200: scanPlanSchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async (request) => plans.plan(viewerOf(request), request.body),
    );
  };
}
