import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { signedInRoute } from "../../http/route-schemas.ts";
import { plannedSheetSchema } from "../../sheets/read-upload.ts";
import { planScan, type PlansContext } from "./plans.service.ts";

export function plansRoutes(context: PlansContext): FastifyPluginAsyncZod {
  const { sheets } = context;
  return async (app) => {
    sheets.accept(app, ["application/json"]);
    app.post(
      "/api/scan-plans",
      signedInRoute(scanPlanSchema, {
        tags: ["scan sessions"],
        summary: "Plan a run of a sheet that starts now: counts, calls, quota, waits and minutes",
        body: plannedSheetSchema,
        options: sheets.route(signedIn, "plan"),
      }),
      async (request) => planScan(context, viewerOf(request), request.body),
    );
  };
}
