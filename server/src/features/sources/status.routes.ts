import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { statusSchema } from "@slabdesk/contract/api/status.ts";
import type { Config } from "../../config.ts";
import { anyone } from "../../http/guards.ts";

type StatusParts = {
  config: Pick<Config, "NODE_ENV" | "upstreams" | "SCRAPING">;
  version: string;
  priceSources: readonly PriceSourceName[];
};

export function statusRoutes({ config, version, priceSources }: StatusParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/status",
      {
        onRequest: [anyone],
        schema: {
          tags: ["status"],
          summary: "Get the server's status and configuration",
          response: { 200: statusSchema, "4xx": errorBodySchema, "5xx": errorBodySchema },
        },
      },
      async () => ({
        status: "online" as const,
        environment: config.NODE_ENV,
        version,
        upstreams: config.upstreams,
        scraping: config.SCRAPING,
        priceSources: [...priceSources],
      }),
    );
  };
}
