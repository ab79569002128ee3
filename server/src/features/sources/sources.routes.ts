import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { quotaQuerySchema, quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import { admin } from "../../http/guards.ts";
import type { SourcesService } from "./sources.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };

export function sourcesRoutes(sources: SourcesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/psa-quota-status",
      {
        onRequest: [admin],
        schema: {
          tags: ["sources"],
          summary: "PSA's API calls of the running window of 24 hours; always counted afresh",
          querystring: quotaQuerySchema,
          response: { 200: quotaStatusSchema, ...errors },
        },
      },
      async () => sources.quotaStatus(),
    );

    app.post(
      "/api/reset-quota-cache",
      {
        onRequest: [admin],
        schema: {
          tags: ["sources"],
          summary: "Forget what PSA's last refusal taught: the next card asks again",
          response: { 200: quotaStatusSchema, ...errors },
        },
      },
      async () => {
        await sources.resetQuota();
        return sources.quotaStatus();
      },
    );
  };
}
