import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { credentialTestRequestSchema, enteredCredentialsSchema } from "@slabdesk/contract/api/credentials.ts";
import { quotaQuerySchema, quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import {
  credentialTestSchema,
  sourceListSchema,
  sourceNameSchema,
  sourceSchema,
} from "@slabdesk/contract/api/sources.ts";
import { statusSchema } from "@slabdesk/contract/api/status.ts";
import type { Context } from "../../context.ts";
import { admin, anyone, viewerOf } from "../../http/guards.ts";
import { LARGEST_TEXT_BYTES } from "../../http/body-limits.ts";
import { leftSignal } from "../../http/concurrent-requests.ts";
import { isUnencrypted } from "../../http/own-address.ts";
import { routeTagged } from "../../http/route-schemas.ts";
import { testCredentials } from "./credentials.service.ts";
import { isOn } from "./sources.present.ts";
import type { SourcesService } from "./sources.service.ts";

const route = routeTagged(["sources"]);
const params = z.object({ name: sourceNameSchema });

export function sourcesRoutes(sources: SourcesService, context: Context, version: string): FastifyPluginAsyncZod {
  const { config } = context;
  return async (app) => {
    app.get(
      "/api/admin/sources",
      route(admin, sourceListSchema, { summary: "List the upstreams with their state and call statistics" }),
      async () => sources.list(),
    );

    app.post(
      "/api/admin/sources/:name/pause",
      route(admin, sourceSchema, { summary: "Pause an upstream; affected rows wait until it is resumed", params }),
      async (request) => sources.pause(viewerOf(request), request.params.name),
    );

    app.post(
      "/api/admin/sources/:name/open",
      route(admin, sourceSchema, { summary: "Resume an upstream and its waiting rows", params }),
      async (request) => sources.open(viewerOf(request), request.params.name),
    );

    app.post(
      "/api/admin/sources/:name/test",
      route(admin, credentialTestSchema, {
        summary: "Test entered credentials, or the current ones, with one call to the upstream",
        params,
        body: credentialTestRequestSchema,
        options: { bodyLimit: LARGEST_TEXT_BYTES, config: { isLong: true } },
      }),
      async (request, reply) => {
        const values = request.body?.values ?? null;
        request.releasePlace?.();
        return testCredentials(context, viewerOf(request).id, request.params.name, values, leftSignal(reply));
      },
    );

    app.put(
      "/api/admin/sources/:name/credentials",
      route(admin, sourceSchema, {
        summary: "Save an upstream's credentials; they take effect on all nodes within seconds and are never sent back",
        params,
        body: enteredCredentialsSchema,
        options: { bodyLimit: LARGEST_TEXT_BYTES },
      }),
      async (request) => sources.saveCredentials(viewerOf(request), request.params.name, request.body.values),
    );

    app.delete(
      "/api/admin/sources/:name/credentials",
      route(admin, sourceSchema, { summary: "Remove an upstream's saved credentials", params }),
      async (request) => sources.removeCredentials(viewerOf(request), request.params.name),
    );

    app.get(
      "/api/psa-quota-status",
      route(admin, quotaStatusSchema, {
        summary: "Get PSA's API calls in the current 24-hour window; never cached",
        querystring: quotaQuerySchema,
      }),
      async () => sources.quotaStatus(),
    );

    app.post(
      "/api/reset-quota-cache",
      route(admin, quotaStatusSchema, { summary: "Clear the limit from PSA's last refusal" }),
      async (request) => sources.resetQuota(viewerOf(request)),
    );

    app.get(
      "/api/status",
      routeTagged(["status"])(anyone, statusSchema, { summary: "Get the server's status and configuration" }),
      async () => ({
        status: "online" as const,
        environment: config.NODE_ENV,
        version,
        upstreams: config.upstreams,
        scraping: config.SCRAPING,
        isUnencrypted: isUnencrypted(config),
        priceSources: PRICE_SOURCES.filter((source) => isOn(context, source)),
      }),
    );
  };
}
