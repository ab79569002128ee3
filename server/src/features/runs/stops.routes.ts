import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { refuseCrossSite, signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { StopsService } from "./stops.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

/** Routes that stop sessions. */
export function stopsRoutes(sessions: SessionsService, stops: StopsService): FastifyPluginAsyncZod {
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
        return stops.stop(viewer, await sessions.authorize(viewer, request.params.id));
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
      async (request) => ({ stopped: await stops.stopAll(viewerOf(request)) }),
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
  };
}
