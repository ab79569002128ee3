import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { statusSchema } from "@slabdesk/contract/api/status.ts";
import type { Config } from "../../config.ts";
import { anyone } from "../../http/guards.ts";
import { isUnencrypted } from "../../http/own-address.ts";
import { route } from "../../http/route-schemas.ts";
import type { SetUp } from "./off-reason.rules.ts";

type StatusParts = { config: Config; version: string; isOn: SetUp["isOn"] };

export function statusRoutes({ config, version, isOn }: StatusParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/status",
      route(anyone, statusSchema, { tags: ["status"], summary: "Get the server's status and configuration" }),
      async () => ({
        status: "online" as const,
        environment: config.NODE_ENV,
        version,
        upstreams: config.upstreams,
        scraping: config.SCRAPING,
        isUnencrypted: isUnencrypted(config),
        priceSources: PRICE_SOURCES.filter((source) => isOn[source]),
      }),
    );
  };
}
