import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { resultRowSchema, resultsPageSchema, resultsQuerySchema, swapImagesSchema } from "@slabdesk/contract/api/results.ts";
import { newScanSessionQuerySchema, newScanSessionSchema, scanSessionSchema, sessionListQuerySchema, sessionListSchema } from "@slabdesk/contract/api/sessions.ts";
import { decodeSheet, parseSheet } from "@slabdesk/contract/sheet/csv.ts";
import { refuseCrossSite, signedIn, signedInTo, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import type { ScanEvents } from "./scans.events.ts";
import type { ScansService } from "./scans.service.ts";
import { sendEvents } from "./scans.stream.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["scan sessions"];
const byId = z.object({ id: z.string().max(100) });
/** 100,000 rows of a wide sheet. */
const LARGEST_UPLOAD_BYTES = 128 * 1024 * 1024;
const newScanHeaders = z.object({ "idempotency-key": z.string().min(1).max(200).optional() });
const eventsQuery = z.object({ lastEventId: z.coerce.number().int().min(0).optional() });
const eventsHeaders = z.object({ "last-event-id": z.coerce.number().int().min(0).optional().catch(undefined) });

export function scansRoutes(scans: ScansService, events: ScanEvents): FastifyPluginAsyncZod {
  return async (app) => {
    app.addContentTypeParser<Buffer>("text/csv", { parseAs: "buffer", bodyLimit: LARGEST_UPLOAD_BYTES }, async (request: FastifyRequest, body: Buffer) => readCsvUpload(body, request.query));

    app.post(
      "/api/scan-sessions",
      {
        onRequest: [signedInTo("Authentication required. Please login to process cards.")],
        bodyLimit: LARGEST_UPLOAD_BYTES,
        schema: { tags, summary: "Store a sheet and start its run (application/json, or text/csv with the options in the query)", headers: newScanHeaders, body: newScanSessionSchema, response: { 200: scanSessionSchema, 201: scanSessionSchema, ...errors } },
      },
      async (request, reply) => {
        const { session, created } = await scans.create(viewerOf(request), request.body, request.headers["idempotency-key"] ?? null);
        return reply.code(created ? 201 : 200).send(session);
      },
    );

    app.get(
      "/api/scan-sessions",
      { onRequest: [signedIn], schema: { tags, summary: "Your sessions, newest first", querystring: sessionListQuerySchema, response: { 200: sessionListSchema, ...errors } } },
      async (request) => scans.list(viewerOf(request), request.query),
    );

    app.get(
      "/api/scan-sessions/:id",
      { onRequest: [signedIn], schema: { tags, summary: "One session", params: byId, response: { 200: scanSessionSchema, ...errors } } },
      async (request) => {
        const session = await scans.authorize(viewerOf(request), request.params.id);
        return scans.present(session);
      },
    );

    app.get(
      "/api/scan-sessions/:id/results",
      { onRequest: [signedIn], schema: { tags, summary: "A session's rows, oldest first, or those that changed since an event", params: byId, querystring: resultsQuerySchema, response: { 200: resultsPageSchema, ...errors } } },
      async (request) => {
        const session = await scans.authorize(viewerOf(request), request.params.id);
        const { cursor, limit, since } = request.query;
        if (since === undefined) return scans.results(session, cursor, limit);
        const changes = await scans.changes(session.id, since);
        return { results: changes.results, nextCursor: null, eventSeq: changes.session.eventSeq };
      },
    );

    app.get(
      "/api/scan-sessions/:id/events",
      {
        onRequest: [signedIn],
        schema: { tags, summary: "Server-sent events named `scan`: what changed after Last-Event-ID (or `lastEventId`), then every change", params: byId, querystring: eventsQuery, headers: eventsHeaders, produces: ["text/event-stream"], response: errors },
      },
      async (request, reply) => {
        const session = await scans.authorize(viewerOf(request), request.params.id);
        const since = request.headers["last-event-id"] ?? request.query.lastEventId ?? null;
        await sendEvents(request, reply, (signal) => events.follow(session.id, since, signal));
      },
    );

    app.post(
      "/api/scan-sessions/:id/stop",
      { onRequest: [signedIn], schema: { tags, summary: "Stop a session; the card in flight ends, the rest stays pending", params: byId, response: { 200: scanSessionSchema, ...errors } } },
      async (request) => {
        const viewer = viewerOf(request);
        return scans.stop(viewer, await scans.authorize(viewer, request.params.id));
      },
    );

    app.get(
      "/api/stop",
      { onRequest: [signedIn, refuseCrossSite], schema: { tags, summary: "Stop all your running sessions", response: { 200: z.object({ stopped: z.number().int() }), ...errors } } },
      async (request) => ({ stopped: await scans.stopAll(viewerOf(request)) }),
    );

    app.get(
      "/api/reset-stop",
      { onRequest: [signedIn, refuseCrossSite], schema: { tags, summary: "Kept for scripts of the earlier tool: a stop belongs to one session, so a new one starts unstopped", response: { 200: z.object({ stopped: z.literal(false) }), ...errors } } },
      async () => ({ stopped: false as const }),
    );

    app.patch(
      "/api/scan-results/:id/images",
      { onRequest: [signedIn], schema: { tags, summary: "Exchange a row's front and back picture", params: byId, body: swapImagesSchema, response: { 200: resultRowSchema, ...errors } } },
      async (request) => {
        const viewer = viewerOf(request);
        return scans.swapImages(viewer, await scans.authorizeRow(viewer, request.params.id));
      },
    );
  };
}

/** A sheet sent as text/csv becomes the same body as the browser sends. */
function readCsvUpload(body: Buffer, query: unknown): z.input<typeof newScanSessionSchema> {
  const options = newScanSessionQuerySchema.safeParse(query);
  if (!options.success) throw new HttpError(400, "bad_request", options.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
  const reading = parseSheet(decodeSheet(body));
  if (!reading.ok) throw new HttpError(400, "bad_request", reading.message);
  const { csvFilename, sessionName, ...run } = options.data;
  return { ...run, ...(sessionName === undefined ? {} : { sessionName }), csvFilename: csvFilename || "upload.csv", header: reading.sheet.header, rows: reading.sheet.rows };
}
