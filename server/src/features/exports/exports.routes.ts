import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { exportQuerySchema, exportRequestSchema } from "@slabdesk/contract/api/sessions.ts";
import { requests } from "../../concurrency/budgets.ts";
import { createShares } from "../../concurrency/shares.ts";
import { refusalOf, withPlace } from "../../http/concurrent-requests.ts";
import { sendDownload } from "../../http/download.ts";
import { mayStillFollow, signedIn, viewerOf } from "../../http/guards.ts";
import { badRequest } from "../../http/http-error.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { onSession } from "../../http/route-schemas.ts";
import { exportFile, type ExportsContext, type Reader } from "./exports.service.ts";

const FORM = "application/x-www-form-urlencoded";
const produces = [
  "text/csv",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/zip",
  "application/json",
];

const MOST_FIELDS = 50;
const TOO_MANY = "Your other exports are still running. Wait for them, then try again";

export function exportsRoutes(context: ExportsContext): FastifyPluginAsyncZod {
  const common = { budgets: requests, patienceMs: 30_000, refuse: refusalOf(TOO_MANY, 10) };
  const places = createShares({ ...common, total: 12, each: 2, waiting: 4 });
  return async (app) => {
    app.addContentTypeParser(FORM, { parseAs: "string" }, async (_: FastifyRequest, text: string) => readForm(text));

    app.get(
      "/api/scan-sessions/:id/export",
      onSession(z.unknown(), {
        summary: "Export a session as a file",
        description:
          "`csv` has 31 columns. `session-csv` has the same columns without CardsIQ. `xlsx` is a workbook, with images if `thumbnails` is true. " +
          "`original` is the uploaded sheet with our columns appended. `ebay`, `shopify` and `whatnot` are import files for these shops, at the customer price or " +
          "at `listPercent` percent of the `estimate` or `median` (`listAt`). " +
          "`images.zip` contains the images. `json` contains the session and its rows as this API returns them. " +
          "The file is streamed. If the download is interrupted, the file is incomplete",
        querystring: exportQuerySchema,
        produces,
        // A HEAD request would create the whole file, including all images, and discard it.
        options: { onRequest: [signedIn, withPlace(places)], exposeHeadRoute: false },
      }),
      async (request, reply) =>
        sendDownload(reply, await exportFile(context, readerOf(request), request.params.id, request.query)),
    );

    app.post(
      "/api/scan-sessions/:id/export",
      onSession(z.unknown(), {
        summary: "Export selected rows of a session as a file, in the sheet's order",
        description: "The body is JSON or a form with the same fields. In a form, separate `rowIds` with commas",
        consumes: ["application/json", FORM],
        body: exportRequestSchema,
        produces,
        options: { onRequest: [signedIn, withPlace(places)], bodyLimit: LARGEST_SELECTION_BYTES },
      }),
      async (request, reply) => {
        const wish = { ...request.body, rowIds: request.body.rowIds.map(Number) };
        const file = await exportFile(context, readerOf(request), request.params.id, wish);
        // The web app downloads the file in a frame. Some browsers apply frame-ancestors to downloads too.
        void reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'self'");
        return sendDownload(reply, file);
      },
    );
  };
}

function readerOf(request: FastifyRequest): Reader {
  return { viewer: viewerOf(request), isStillAllowed: () => mayStillFollow(request) };
}

/** Parses a form body. The web app uses forms because the browser streams their response to disk. */
function readForm(text: string): unknown {
  if (text.split("&", MOST_FIELDS + 1).length > MOST_FIELDS) throw badRequest("The form has too many fields");
  const { rowIds = "", thumbnails, listPercent, ...form } = Object.fromEntries(new URLSearchParams(text));
  const percent = listPercent === undefined ? {} : { listPercent: Number(listPercent) };
  return { ...form, ...percent, thumbnails: thumbnails === "true", rowIds: rowIds.split(",") };
}
