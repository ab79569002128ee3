import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { newScanSessionSchema, OTHER_USER_MESSAGE, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { signedInTo, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { errors } from "../../http/route-schemas.ts";
import type { SheetIntake } from "../../sheets/sheet-routes.ts";
import type { UploadsService } from "./uploads.service.ts";

export function uploadsRoutes(uploads: UploadsService, sheets: SheetIntake): FastifyPluginAsyncZod {
  return async (app) => {
    sheets.accept(app, ["application/json", "text/csv"]);
    app.post(
      "/api/scan-sessions",
      {
        ...sheets.route(signedInTo("Authentication required. Please login to process cards."), "session"),
        schema: {
          tags: ["scan sessions"],
          summary: "Upload a sheet and start its run (application/json, or text/csv with options in the query)",
          headers: z.object({
            "idempotency-key": z.string().min(1).max(200).optional(),
            "user-id": z.string().max(100).optional(),
          }),
          body: newScanSessionSchema,
          response: { 200: scanSessionSchema, 201: scanSessionSchema, ...errors },
        },
      },
      async (request, reply) => {
        const { "idempotency-key": key = null, "user-id": userId } = request.headers;
        const viewer = viewerOf(request);
        // Another tab may have signed in a different user, who would own the session.
        if (userId !== undefined && userId !== viewer.id) throw new HttpError(409, "conflict", OTHER_USER_MESSAGE);
        const { session, created } = await uploads.create(viewer, request.body, key);
        return reply.code(created ? 201 : 200).send(session);
      },
    );
  };
}
