import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import {
  adminChartsSchema,
  adminSessionListSchema,
  adminSessionsQuerySchema,
  adminStatsSchema,
} from "@slabdesk/contract/api/stats.ts";
import type { Context } from "../../context.ts";
import { admin, viewerOf } from "../../http/guards.ts";
import { routeTagged } from "../../http/route-schemas.ts";
import { listAllSessions, readCharts, readStats } from "./stats.service.ts";

const route = routeTagged(["admin"]);

export function statsRoutes(context: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get("/api/admin/stats", route(admin, adminStatsSchema, { summary: "Get statistics of all users" }), async () =>
      readStats(context),
    );

    app.get(
      "/api/admin/charts",
      route(admin, adminChartsSchema, { summary: "Get chart data of the last 90 days" }),
      async () => readCharts(context),
    );

    app.get(
      "/api/admin/sessions",
      route(admin, adminSessionListSchema, {
        summary: "List all users' sessions, newest first; filter by owner and by a row's day, company and outcome",
        querystring: adminSessionsQuerySchema,
      }),
      async (request) => listAllSessions(context, viewerOf(request), request.query),
    );
  };
}
