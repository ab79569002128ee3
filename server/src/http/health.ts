import { z } from "zod";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { anyone } from "./guards.ts";
import { HttpError } from "./http-error.ts";

const tags = ["health"];

/** `/healthz`: the process runs. `/readyz`: it can serve, so the database answers. */
export function healthRoutes(checkDatabase: () => Promise<void>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/healthz",
      {
        onRequest: [anyone],
        schema: { tags, summary: "Whether the process runs", response: { 200: z.object({ status: z.literal("ok") }) } },
      },
      async () => ({ status: "ok" as const }),
    );
    app.get(
      "/readyz",
      {
        onRequest: [anyone],
        schema: {
          tags,
          summary: "Whether requests can be served",
          response: { 200: z.object({ status: z.literal("ready") }), 503: errorBodySchema },
        },
      },
      async () => {
        await checkDatabase().catch((cause: unknown) => {
          throw new HttpError(503, "unavailable", "The database does not answer", { cause });
        });
        return { status: "ready" as const };
      },
    );
  };
}
