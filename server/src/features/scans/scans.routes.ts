import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { resultsPageSchema, resultsQuerySchema } from "@slabdesk/contract/api/results.ts";
import {
  newScanSessionQuerySchema,
  newScanSessionSchema,
  scanSessionSchema,
  sessionListQuerySchema,
  sessionListSchema,
} from "@slabdesk/contract/api/sessions.ts";
import { decodeSheet, parseSheet } from "@slabdesk/contract/sheet/csv.ts";
import type { App } from "../../http/app-instance.ts";
import { signedIn, signedInTo, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import type { ScanUploadsService } from "./scan-uploads.service.ts";
import type { ScanEvents } from "./scans.events.ts";
import type { ScansService } from "./scans.service.ts";
import { sendEvents } from "./scans.stream.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["scan sessions"];
const byId = z.object({ id: z.string().max(100) });
/** 100,000 rows of a wide sheet. */
const LARGEST_UPLOAD_BYTES = 128 * 1024 * 1024;
const uploadHeaders = z.object({ "idempotency-key": z.string().min(1).max(200).optional() });
const eventsQuery = z.object({ lastEventId: z.coerce.number().int().min(0).optional() });
const eventsHeaders = z.object({ "last-event-id": z.coerce.number().int().min(0).optional().catch(undefined) });

export type ScansRoutesParts = { scans: ScansService; uploads: ScanUploadsService; events: ScanEvents };

/** Sheets in, sessions and their rows out. */
export function scansRoutes({ scans, uploads, events }: ScansRoutesParts): FastifyPluginAsyncZod {
  return async (app) => {
    addUpload(app, uploads);
    addReading(app, scans);
    addEvents(app, scans, events);
  };
}

function addUpload(app: App, uploads: ScanUploadsService): void {
  app.addContentTypeParser(
    "text/csv",
    { parseAs: "buffer", bodyLimit: LARGEST_UPLOAD_BYTES },
    async (request: FastifyRequest, body: Buffer) => readCsvUpload(body, request.query),
  );
  app.post(
    "/api/scan-sessions",
    {
      onRequest: [signedInTo("Authentication required. Please login to process cards.")],
      bodyLimit: LARGEST_UPLOAD_BYTES,
      schema: {
        tags,
        summary: "Store a sheet and start its run (application/json, or text/csv with the options in the query)",
        headers: uploadHeaders,
        body: newScanSessionSchema,
        response: { 200: scanSessionSchema, 201: scanSessionSchema, ...errors },
      },
    },
    async (request, reply) => {
      const key = request.headers["idempotency-key"] ?? null;
      const { session, created } = await uploads.create(viewerOf(request), request.body, key);
      return reply.code(created ? 201 : 200).send(session);
    },
  );
}

function addReading(app: App, scans: ScansService): void {
  app.get(
    "/api/scan-sessions",
    {
      onRequest: [signedIn],
      schema: {
        tags,
        summary: "Your sessions, newest first",
        querystring: sessionListQuerySchema,
        response: { 200: sessionListSchema, ...errors },
      },
    },
    async (request) => scans.list(viewerOf(request), request.query),
  );

  app.get(
    "/api/scan-sessions/:id",
    {
      onRequest: [signedIn],
      schema: { tags, summary: "One session", params: byId, response: { 200: scanSessionSchema, ...errors } },
    },
    async (request) => scans.present(await scans.authorize(viewerOf(request), request.params.id)),
  );

  app.get(
    "/api/scan-sessions/:id/results",
    {
      onRequest: [signedIn],
      schema: {
        tags,
        summary: "A session's rows, oldest first, or those that changed since an event",
        params: byId,
        querystring: resultsQuerySchema,
        response: { 200: resultsPageSchema, ...errors },
      },
    },
    async (request) => {
      const session = await scans.authorize(viewerOf(request), request.params.id);
      const { cursor, limit, since } = request.query;
      if (since === undefined) return scans.results(session, cursor, limit);
      const changes = await scans.changes(session.id, since);
      return { results: changes.results, nextCursor: null, eventSeq: changes.session.eventSeq };
    },
  );
}

function addEvents(app: App, scans: ScansService, events: ScanEvents): void {
  app.get(
    "/api/scan-sessions/:id/events",
    {
      onRequest: [signedIn],
      schema: {
        tags,
        summary:
          "Server-sent events named `scan`: what changed after Last-Event-ID (or `lastEventId`), then every change",
        params: byId,
        querystring: eventsQuery,
        headers: eventsHeaders,
        produces: ["text/event-stream"],
        response: errors,
      },
    },
    async (request, reply) => {
      const session = await scans.authorize(viewerOf(request), request.params.id);
      const since = request.headers["last-event-id"] ?? request.query.lastEventId ?? null;
      await sendEvents(request, reply, (signal) => events.follow(session.id, since, signal));
    },
  );
}

/** A sheet sent as text/csv becomes the same body as the browser sends. */
function readCsvUpload(body: Buffer, query: unknown): z.input<typeof newScanSessionSchema> {
  const options = newScanSessionQuerySchema.safeParse(query);
  if (!options.success) {
    const words = options.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new HttpError(400, "bad_request", words.join("; "));
  }
  const reading = parseSheet(decodeSheet(body));
  if (!reading.ok) throw new HttpError(400, "bad_request", reading.message);
  const { csvFilename, sessionName, ...run } = options.data;
  return {
    ...run,
    ...(sessionName === undefined ? {} : { sessionName }),
    csvFilename: csvFilename || "upload.csv",
    header: reading.sheet.header,
    rows: reading.sheet.rows,
  };
}
