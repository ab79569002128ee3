import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { anyone } from "./guards.ts";
import { HttpError } from "./http-error.ts";

const ANSWER_WITHIN_MS = 2_000;

/** `/healthz`: the process is running. `/readyz`: it can serve requests, so the database responds. */
export function healthRoutes(checkDatabase: () => Promise<unknown>): FastifyPluginAsyncZod {
  const flights = createSingleFlight<unknown>();

  /** Probes share one pending query. Each query holds a connection, and a hanging database must not use up the pool. */
  async function askDatabase(): Promise<void> {
    const tooLate = pause(ANSWER_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`No response within ${ANSWER_WITHIN_MS} ms`);
    });
    await Promise.race([flights.run("database", checkDatabase), tooLate]);
  }

  return async (app) => {
    app.get("/healthz", probe("Check liveness", { 200: z.object({ status: z.literal("ok") }) }), async () => ({
      status: "ok" as const,
    }));
    const readiness = { 200: z.object({ status: z.literal("ready") }), 503: errorBodySchema };
    app.get("/readyz", probe("Check readiness", readiness), async () => {
      await askDatabase().catch((cause: unknown) => {
        throw new HttpError(503, "unavailable", "The database does not respond", { cause });
      });
      return { status: "ready" as const };
    });
  };
}

function probe<Answers>(summary: string, response: Answers) {
  return { onRequest: [anyone], schema: { tags: ["health"], summary, response } };
}
