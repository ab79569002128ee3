import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { resultRowSchema, swapImagesSchema } from "@slabdesk/contract/api/results.ts";
import { scanSessionSchema, sessionChangeSchema } from "@slabdesk/contract/api/sessions.ts";
import { refuseCrossSite, signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanChangesService } from "./changes.service.ts";
import type { ScansService } from "./sessions.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const byId = z.object({ id: z.string().max(100) });

/** Routes that change a session or one of its rows. */
export function scanChangesRoutes(scans: ScansService, changes: ScanChangesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/stop",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary: "Stop a session. The look-up in progress ends; the other rows stay pending",
          params: byId,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return changes.stop(viewer, await scans.authorize(viewer, request.params.id));
      },
    );

    app.get(
      "/api/stop",
      {
        onRequest: [signedIn, refuseCrossSite],
        schema: {
          tags: ["scan sessions"],
          summary: "Stop all of your running sessions",
          response: { 200: z.object({ stopped: z.number().int() }), ...errors },
        },
      },
      async (request) => ({ stopped: await changes.stopAll(viewerOf(request)) }),
    );

    app.get(
      "/api/reset-stop",
      {
        onRequest: [signedIn, refuseCrossSite],
        schema: {
          tags: ["scan sessions"],
          summary: "Always return `stopped: 0`. A stop applies to one session, so there is nothing to reset",
          response: { 200: z.object({ stopped: z.literal(0) }), ...errors },
        },
      },
      async () => ({ stopped: 0 as const }),
    );

    app.patch(
      "/api/scan-sessions/:id",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary: "Rename a session or set its offer rule",
          params: byId,
          body: sessionChangeSchema,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => changes.change(await scans.authorize(viewerOf(request), request.params.id), request.body),
    );

    app.patch(
      "/api/scan-results/:id/images",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Swap a row's front and back pictures",
          params: byId,
          body: swapImagesSchema,
          response: { 200: resultRowSchema, ...errors },
        },
      },
      async (request) => {
        const viewer = viewerOf(request);
        return changes.swapImages(viewer, await scans.authorizeRow(viewer, request.params.id));
      },
    );
  };
}
