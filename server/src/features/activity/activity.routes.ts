import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { activityListSchema, newActivitySchema } from "@slabdesk/contract/api/activity.ts";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { admin, signedIn, viewerOf } from "../../http/guards.ts";
import type { ActivityService } from "./activity.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["activity"];

export function activityRoutes(activity: ActivityService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/activity",
      {
        onRequest: [signedIn],
        schema: {
          tags,
          summary: "Note what only the browser knows of",
          body: newActivitySchema,
          response: { 204: z.undefined().describe("Noted"), ...errors },
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
      {
        onRequest: [admin],
        schema: { tags, summary: "The newest 100 entries", response: { 200: activityListSchema, ...errors } },
      },
      async () => activity.list(),
    );
  };
}
