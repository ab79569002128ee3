import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { addedRowsSchema, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ScanRowsService } from "./added-rows.service.ts";
import type { ScansService } from "../sessions/sessions.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const byId = z.object({ id: z.string().max(100) });

/** Routes to add and remove single rows. */
export function scanRowsRoutes(scans: ScansService, scanRows: ScanRowsService): FastifyPluginAsyncZod {
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
        const session = await scans.authorize(viewerOf(request), request.params.id);
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
      async (request) => scanRows.remove(await scans.authorizeRow(viewerOf(request), request.params.id)),
    );
  };
}
