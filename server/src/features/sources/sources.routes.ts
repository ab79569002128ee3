import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { quotaQuerySchema, quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import {
  credentialTestSchema,
  sourceListSchema,
  sourceNameSchema,
  sourceSchema,
} from "@slabdesk/contract/api/sources.ts";
import { admin, viewerOf } from "../../http/guards.ts";
import { leftSignal } from "../../http/left-signal.ts";
import type { SourcesService } from "./sources.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["sources"];
const params = z.object({ name: sourceNameSchema });

export function sourcesRoutes(sources: SourcesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/sources",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "How every upstream stands, and its figures",
          response: { 200: sourceListSchema, ...errors },
        },
      },
      async () => sources.list(),
    );

    app.post(
      "/api/admin/sources/:name/pause",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "Ask an upstream nothing more until it is opened; what wants it waits",
          params,
          response: { 200: sourceSchema, ...errors },
        },
      },
      async (request) => sources.pause(viewerOf(request), request.params.name),
    );

    app.post(
      "/api/admin/sources/:name/open",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "End every pause of an upstream, made by hand or not; what waits goes on",
          params,
          response: { 200: sourceSchema, ...errors },
        },
      },
      async (request) => sources.open(viewerOf(request), request.params.name),
    );

    app.post(
      "/api/admin/sources/:name/test",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "Try the credentials of an upstream without spending quota, where it has a call for that",
          params,
          response: { 200: credentialTestSchema, ...errors },
        },
      },
      async (request, reply) => sources.testCredentials(viewerOf(request), request.params.name, leftSignal(reply)),
    );

    await app.register(quotaRoutes(sources));
  };
}

/** SPEC's quota block. */
function quotaRoutes(sources: SourcesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/psa-quota-status",
      {
        onRequest: [admin],
        schema: {
          tags,
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
          tags,
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
