import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { resultRowSchema, rowChangeSchema } from "@slabdesk/contract/api/results.ts";
import { retryRequestSchema, scanSessionSchema, sendWaitingSchema } from "@slabdesk/contract/api/sessions.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { RerunsService } from "./reruns.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

/** Routes that rerun rows. All are idempotent. */
export function rerunsRoutes(sessions: SessionsService, reruns: RerunsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/resume",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary: "Resume a stopped session",
          params: byId,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return reruns.resume(viewer, await sessions.authorize(viewer, request.params.id));
      },
    );

    app.post(
      "/api/scan-sessions/:id/retry",
      {
        onRequest: [signedIn],
        bodyLimit: LARGEST_SELECTION_BYTES,
        schema: {
          tags: ["scan sessions"],
          summary: "Look up failed rows again: those with an outcome, the given rows, or all with a retryable outcome",
          params: byId,
          body: retryRequestSchema,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await sessions.authorize(viewer, request.params.id);
        const { outcome, rowId, rowIds = rowId === undefined ? undefined : [rowId] } = request.body ?? {};
        return reruns.retry(viewer, session, { outcome, rowIds: rowIds?.map(Number).filter(Number.isSafeInteger) });
      },
    );

    app.post(
      "/api/scan-sessions/:id/waiting",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary: "Look up rows that wait for PSA's API through web scraping instead",
          params: byId,
          body: sendWaitingSchema,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => reruns.scrapeWaiting(await sessions.authorize(viewerOf(request), request.params.id)),
    );

    app.patch(
      "/api/scan-results/:id",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Correct a failed row's cert number and look it up",
          params: byId,
          body: rowChangeSchema,
          response: { 200: resultRowSchema, ...errors },
        },
      },
      async (request) =>
        reruns.changeNumber(await sessions.authorizeRow(viewerOf(request), request.params.id), request.body),
    );
  };
}
