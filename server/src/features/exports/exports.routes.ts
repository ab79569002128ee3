import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { exportQuerySchema, exportRequestSchema } from "@slabdesk/contract/api/sessions.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { sendDownload } from "../../http/download.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import type { ExportsService } from "./exports.service.ts";

const byId = z.object({ id: z.string().max(100) });
const FORM = "application/x-www-form-urlencoded";
const fileAnswer = {
  produces: [
    "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/zip",
    "application/json",
  ],
  response: { 200: z.unknown(), "4xx": errorBodySchema, "5xx": errorBodySchema },
};

export function exportsRoutes(files: ExportsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.addContentTypeParser(FORM, { parseAs: "string" }, async (_request: FastifyRequest, text: string) =>
      readForm(text),
    );

    app.get(
      "/api/scan-sessions/:id/export",
      {
        onRequest: [signedIn],
        // Answering HEAD would write the whole file, every picture fetched, to nobody.
        exposeHeadRoute: false,
        schema: {
          tags: ["scan sessions"],
          summary: "A session as a file",
          description:
            "`csv` is the 31 columns, `session-csv` the same without CardsIQ, `xlsx` a workbook (with pictures when `thumbnails` is true), " +
            "`original` the uploaded sheet with our columns behind its own; `ebay`, `shopify` and `whatnot` are what those shops take; " +
            "`images.zip` the pictures; `json` session and rows as this API gives them. It is read while it is sent: a download that breaks off is not whole",
          params: byId,
          querystring: exportQuerySchema,
          ...fileAnswer,
        },
      },
      async (request, reply) =>
        sendDownload(reply, await files.file(viewerOf(request), request.params.id, request.query)),
    );

    app.post(
      "/api/scan-sessions/:id/export",
      {
        onRequest: [signedIn],
        bodyLimit: LARGEST_SELECTION_BYTES,
        schema: {
          tags: ["scan sessions"],
          summary: "Chosen rows of a session as a file, in the sheet's order",
          description: "A form says the same as JSON, `rowIds` with commas between them",
          consumes: ["application/json", FORM],
          params: byId,
          body: exportRequestSchema,
          ...fileAnswer,
        },
      },
      async (request, reply) => {
        const wish = { ...request.body, rowIds: request.body.rowIds.map(Number) };
        const file = await files.file(viewerOf(request), request.params.id, wish);
        // Our own page takes the file by a frame, which a browser may want to be allowed for a download too.
        void reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'self'");
        return sendDownload(reply, file);
      },
    );
  };
}

/** What a page's form says: a browser writes the answer to a form, unlike one to a script, to the disk as it comes. */
function readForm(text: string): unknown {
  const { rowIds = "", thumbnails, ...form } = Object.fromEntries(new URLSearchParams(text));
  return { ...form, thumbnails: thumbnails === "true", rowIds: rowIds.split(",") };
}
