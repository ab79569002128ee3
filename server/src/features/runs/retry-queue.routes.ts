import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { queuedJobSchema, queueJobSchema, retryPsaSchema } from "@slabdesk/contract/api/queue.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { errors, pathId } from "../../http/route-schemas.ts";
import type { RetryQueueService } from "./retry-queue.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

export function retryQueueRoutes(sessions: SessionsService, queue: RetryQueueService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/queue/retry-psa",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["queue"],
          summary: "Queue one PSA card and retry it while PSA times out. The card is saved to your history",
          body: retryPsaSchema,
          response: { 200: queuedJobSchema, ...errors },
        },
      },
      async (request) => queue.retryPsa(viewerOf(request), request.body),
    );

    app.get(
      "/api/queue/status/:jobId",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["queue"],
          summary: "Get the status of a queued card",
          params: z.object({ jobId: pathId }),
          response: { 200: queueJobSchema, ...errors },
        },
      },
      async (request) => queue.status(await findJob(sessions, viewerOf(request), request.params.jobId)),
    );
  };
}

async function findJob(sessions: SessionsService, viewer: ReturnType<typeof viewerOf>, jobId: string) {
  try {
    return await sessions.authorizeRow(viewer, jobId);
  } catch (cause) {
    if (!(cause instanceof HttpError) || cause.status !== 404) throw cause;
    throw new HttpError(404, "no_such_thing", "Failed to get job status: there is no such job", { cause });
  }
}
