import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import {
  newScanSessionQuerySchema,
  newScanSessionSchema,
  OTHER_USER_MESSAGE,
  scanSessionSchema,
} from "@slabdesk/contract/api/sessions.ts";
import { decodeSheet } from "@slabdesk/contract/sheet/csv.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { LARGEST_UPLOAD_BYTES } from "../../http/body-limits.ts";
import { limitLargeUploads } from "../../http/concurrent-requests.ts";
import { signedInTo, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { errors } from "../../http/route-schemas.ts";
import type { UploadsService } from "./uploads.service.ts";

export function uploadsRoutes(uploads: UploadsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.addContentTypeParser(
      "text/csv",
      { parseAs: "buffer", bodyLimit: LARGEST_UPLOAD_BYTES },
      async (request: FastifyRequest, body: Buffer) => readCsvUpload(body, request.query),
    );
    app.post(
      "/api/scan-sessions",
      {
        onRequest: [signedInTo("Authentication required. Please login to process cards."), limitLargeUploads()],
        bodyLimit: LARGEST_UPLOAD_BYTES,
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

/** Converts a text/csv upload to the JSON body that the browser sends. */
function readCsvUpload(body: Buffer, query: unknown): z.input<typeof newScanSessionSchema> {
  const options = newScanSessionQuerySchema.safeParse(query);
  if (!options.success) {
    const message = options.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new HttpError(400, "bad_request", message.join("; "));
  }
  const reading = parseSheet(decodeSheet(body));
  if (!reading.ok) throw new HttpError(400, "bad_request", reading.message);
  const { csvFilename, sessionName, ...run } = options.data;
  return {
    ...run,
    ...(sessionName === undefined ? {} : { sessionName }),
    csvFilename: csvFilename || "upload.csv",
    header: reading.sheet.header,
    delimiter: reading.sheet.delimiter,
    rows: reading.sheet.rows,
  };
}
