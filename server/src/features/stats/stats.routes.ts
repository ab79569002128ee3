import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import {
  adminChartsSchema,
  adminSessionListSchema,
  adminSessionsQuerySchema,
  adminStatsSchema,
} from "@slabdesk/contract/api/stats.ts";
import { admin, viewerOf } from "../../http/guards.ts";
import { errors } from "../../http/route-schemas.ts";
import type { StatsService } from "./stats.service.ts";

const tags = ["admin"];

export function statsRoutes(stats: StatsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/stats",
      {
        onRequest: [admin],
        schema: { tags, summary: "Get statistics of all users", response: { 200: adminStatsSchema, ...errors } },
      },
      async () => stats.stats(),
    );

    app.get(
      "/api/admin/charts",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "Get chart data of the last 90 days by day, company, outcome, user and upstream",
          response: { 200: adminChartsSchema, ...errors },
        },
      },
      async () => stats.charts(),
    );

    app.get(
      "/api/admin/sessions",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "List all users' sessions, newest first; filter by owner and by a row's day, company and outcome",
          querystring: adminSessionsQuerySchema,
          response: { 200: adminSessionListSchema, ...errors },
        },
      },
      async (request) => stats.sessions(viewerOf(request), request.query),
    );
  };
}
