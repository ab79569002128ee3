import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { resultRowSchema, rowChangeSchema } from "@slabdesk/contract/api/results.ts";
import { retryRequestSchema, scanSessionSchema, sendWaitingSchema } from "@slabdesk/contract/api/sessions.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanRerunsService } from "./scan-reruns.service.ts";
import type { ScansService } from "./scans.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const byId = z.object({ id: z.string().max(100) });

/** What lets rows run once more. Each may be asked twice and does it once. */
export function scanRerunsRoutes(scans: ScansService, reruns: ScanRerunsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/resume",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary: "Let a stopped session go on",
          params: byId,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return reruns.resume(viewer, await scans.authorize(viewer, request.params.id));
      },
    );

    app.post(
      "/api/scan-sessions/:id/retry",
      {
        onRequest: [signedIn],
        bodyLimit: LARGEST_SELECTION_BYTES,
        schema: {
          tags: ["scan sessions"],
          summary:
            "Look failed rows up again: those of one outcome, those named, or all whose failure may pass by itself",
          params: byId,
          body: retryRequestSchema,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await scans.authorize(viewer, request.params.id);
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
          summary: "Send the rows that wait for PSA's API on with web scraping",
          params: byId,
          body: sendWaitingSchema,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => reruns.scrapeWaiting(await scans.authorize(viewerOf(request), request.params.id)),
    );

    app.patch(
      "/api/scan-results/:id",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Put a failed row's certificate number right and look it up",
          params: byId,
          body: rowChangeSchema,
          response: { 200: resultRowSchema, ...errors },
        },
      },
      async (request) =>
        reruns.changeNumber(await scans.authorizeRow(viewerOf(request), request.params.id), request.body),
    );
  };
}
