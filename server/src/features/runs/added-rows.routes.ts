import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { addedRowsSchema, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors } from "../../http/route-schemas.ts";
import type { AddedRowsService } from "./added-rows.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

/** Routes to add and remove single rows. */
export function addedRowsRoutes(sessions: SessionsService, scanRows: AddedRowsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/rows",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan sessions"],
          summary: "Add rows to a session and run them. Lines that are already stored are skipped",
          params: byId,
          body: addedRowsSchema,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => {
        const session = await sessions.authorize(viewerOf(request), request.params.id);
        return scanRows.add(session, request.body.rows);
      },
    );

    app.delete(
      "/api/scan-results/:id",
      {
        onRequest: [signedIn],
        schema: {
          tags: ["scan results"],
          summary: "Delete a row from its session",
          params: byId,
          response: { 200: scanSessionSchema, ...errors },
        },
      },
      async (request) => scanRows.remove(await sessions.authorizeRow(viewerOf(request), request.params.id)),
    );
  };
}
