import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { anyone } from "./guards.ts";
import { HttpError } from "./http-error.ts";

const tags = ["health"];

const ANSWER_WITHIN_MS = 2_000;

/** `/healthz`: the process runs. `/readyz`: it can serve, so the database answers. */
export function healthRoutes(checkDatabase: () => Promise<void>): FastifyPluginAsyncZod {
  const askDatabase = withinTime(checkDatabase);
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
        await askDatabase().catch((cause: unknown) => {
          throw new HttpError(503, "unavailable", "The database does not answer", { cause });
        });
        return { status: "ready" as const };
      },
    );
  };
}

/** A database that hangs is asked once, not anew by every probe: each question keeps a connection. */
function withinTime(checkDatabase: () => Promise<void>): () => Promise<void> {
  let asking: Promise<void> | null = null;
  return async () => {
    asking ??= checkDatabase().finally(() => {
      asking = null;
    });
    const over = new AbortController();
    const tooLate = pause(ANSWER_WITHIN_MS, undefined, { signal: over.signal }).then(() => {
      throw new Error(`No answer in ${ANSWER_WITHIN_MS} ms`);
    });
    try {
      await Promise.race([asking, tooLate]);
    } finally {
      over.abort();
    }
  };
}
