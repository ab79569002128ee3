import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import {
  ACTIVITIES_PER_MINUTE,
  activityFilterSchema,
  activityListSchema,
  activityQuerySchema,
  newActivitySchema,
} from "@slabdesk/contract/api/activity.ts";
import { sendDownload } from "../../http/download.ts";
import { admin, signedIn, viewerOf, type Guard } from "../../http/guards.ts";
import { tryLater } from "../../http/http-error.ts";
import { errors, routeTagged } from "../../http/route-schemas.ts";
import type { ActivityService } from "./activity.service.ts";

const tags = ["activity"];
const route = routeTagged(tags);
const TOO_MANY = `Your browser may log ${ACTIVITIES_PER_MINUTE} activities per minute. Please wait a moment`;

export function activityRoutes(activity: ActivityService): FastifyPluginAsyncZod {
  return async (app) => {
    const countEntry = app.createRateLimit({
      max: ACTIVITIES_PER_MINUTE,
      timeWindow: 60_000,
      keyGenerator: (request) => viewerOf(request).id,
    });
    const limitEntries: Guard = async (request) => {
      const count = await countEntry(request);
      if (count.isAllowed || !count.isExceeded) return;
      throw tryLater(429, TOO_MANY, count.ttlInSeconds);
    };
    app.post(
      "/api/activity",
      {
        onRequest: [signedIn, limitEntries],
        schema: {
          tags,
          summary: "Log an activity that only the browser knows about",
          body: newActivitySchema,
          response: { 204: z.undefined().describe("Logged"), ...errors },
        },
      },
      async (request, reply) => {
        const { activityType, description, metadata } = request.body;
        await activity.log(viewerOf(request).id, activityType, description, metadata);
        return reply.code(204).send();
      },
    );

    app.get(
      "/api/admin/activity",
      route(admin, activityListSchema, {
        summary: "List the activity log, newest first",
        description: "`from` and `to` are days in UTC, both inclusive",
        querystring: activityQuerySchema,
      }),
      async (request) => activity.list(request.query),
    );

    app.get(
      "/api/admin/activity/export",
      route(admin, z.unknown(), {
        summary: "Export the activity log as CSV, newest first",
        description: "The file is streamed. If the download is interrupted, the file is incomplete",
        produces: ["text/csv"],
        querystring: activityFilterSchema,
        // A HEAD request would read the whole log and discard it.
        options: { exposeHeadRoute: false },
      }),
      async (request, reply) => {
        await activity.log(viewerOf(request).id, "activity_exported", "Exported the activity log", request.query);
        return sendDownload(reply, await activity.exported(request.query));
      },
    );
  };
}
