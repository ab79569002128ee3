import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { errors } from "../../http/route-schemas.ts";
import { plannedSheetSchema } from "../../sheets/read-upload.ts";
import type { SheetIntake } from "../../sheets/sheet-routes.ts";
import type { PlansService } from "./plans.service.ts";

export function plansRoutes(plans: PlansService, sheets: SheetIntake): FastifyPluginAsyncZod {
  return async (app) => {
    sheets.accept(app, ["application/json"]);
    app.post(
      "/api/scan-plans",
      {
        ...sheets.route(signedIn, "plan"),
        schema: {
          tags: ["scan sessions"],
          summary: "Plan a run of a sheet that starts now: counts, calls, quota, waits and minutes",
          body: plannedSheetSchema,
          response: { 200: scanPlanSchema, ...errors },
        },
      },
      async (request) => plans.plan(viewerOf(request), request.body),
    );
  };
}
