import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { scanPlanRequestSchema, scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { LARGEST_UPLOAD_BYTES } from "../../http/body-limits.ts";
import { limitLargeUploads } from "../../http/concurrent-requests.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { errors } from "../../http/route-schemas.ts";
import type { PlansService } from "./plans.service.ts";

export function plansRoutes(plans: PlansService): FastifyPluginAsyncZod {
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
          response: { 200: scanPlanSchema, ...errors },
        },
      },
      async (request) => plans.plan(viewerOf(request), request.body),
    );
  };
}
