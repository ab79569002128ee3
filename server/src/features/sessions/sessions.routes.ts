import type { FastifyReply, FastifyRequest } from "fastify";
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
import { decodeSheet } from "@slabdesk/contract/sheet/csv.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { createPlaces } from "../../concurrency/places.ts";
import type { Notifications } from "../../database/notifications.ts";
import type { App } from "../../http/app-instance.ts";
import { signedIn, signedInTo, viewerOf, type Guard } from "../../http/guards.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ScanUploadsService } from "../runs/uploads.service.ts";
import type { ScanEvents } from "./sessions.events.ts";
import type { ScansService } from "./sessions.service.ts";
import { sendEvents } from "./sessions.stream.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["scan sessions"];
const byId = z.object({ id: z.string().max(100) });
/** Fits 100,000 rows of a wide sheet. */
export const LARGEST_UPLOAD_BYTES = 64 * 1024 * 1024;
/** The server holds only a few sheets above this size in memory at a time. */
const LARGE_UPLOAD_BYTES = 4 * 1024 * 1024;
const LARGE_UPLOADS_AT_ONCE = 2;
/** Maximum event streams per user. A browser opens at most six connections to a server. */
const STREAMS_A_PERSON = 30;
const uploadHeaders = z.object({ "idempotency-key": z.string().min(1).max(200).optional() });
const eventsQuery = z.object({ lastEventId: z.coerce.number().int().min(0).optional() });
const eventsHeaders = z.object({ "last-event-id": z.coerce.number().int().min(0).optional().catch(undefined) });

export type ScansRoutesParts = {
  scans: ScansService;
  uploads: ScanUploadsService;
  events: ScanEvents;
  notifications: Notifications;
};

/** Routes to upload sheets and to read sessions and rows. */
export function scansRoutes({ scans, uploads, events, notifications }: ScansRoutesParts): FastifyPluginAsyncZod {
  return async (app) => {
    addUpload(app, uploads);
    addReading(app, scans);
    addEvents(app, { scans, events, notifications });
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
      onRequest: [signedInTo("Authentication required. Please login to process cards."), limitLargeUploads()],
      bodyLimit: LARGEST_UPLOAD_BYTES,
      schema: {
        tags,
        summary: "Upload a sheet and start its run (application/json, or text/csv with options in the query)",
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
        summary: "List your sessions, newest first",
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
      schema: { tags, summary: "Get a session", params: byId, response: { 200: scanSessionSchema, ...errors } },
    },
    async (request) => scans.present(await scans.authorize(viewerOf(request), request.params.id)),
  );

  app.get(
    "/api/scan-sessions/:id/results",
    {
      onRequest: [signedIn],
      schema: {
        tags,
        summary: "List a session's rows, oldest first, or those that changed after an event",
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
      if (!changes) throw noSuchThing("session");
      return { results: changes.results, nextCursor: null, eventSeq: changes.session.eventSeq };
    },
  );
}

function addEvents(app: App, { scans, events, notifications }: Omit<ScansRoutesParts, "uploads">): void {
  const takePlace = placesFor(STREAMS_A_PERSON, () => {
    const message = "Too many tabs show running sessions. Close some and reload this one";
    return new HttpError(429, "too_many_requests", message, { headers: { "retry-after": "30" } });
  });
  app.get(
    "/api/scan-sessions/:id/events",
    {
      onRequest: [signedIn],
      schema: {
        tags,
        summary:
          "Stream server-sent events named `scan`: changes after Last-Event-ID (or `lastEventId`), then each new change",
        params: byId,
        querystring: eventsQuery,
        headers: eventsHeaders,
        produces: ["text/event-stream"],
        response: errors,
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const session = await scans.authorize(viewer, request.params.id);
      takePlace(viewer.id, reply);
      const since = request.headers["last-event-id"] ?? request.query.lastEventId ?? null;
      await sendEvents(request, reply, {
        follow: (signal) => events.follow(session.id, since, signal),
        watchViewer: (onNotice) => notifications.watch("sign_ins", viewer.id, onNotice),
      });
    },
  );
}

/** Limits the number of large uploads processed at the same time. */
export function limitLargeUploads(): Guard {
  const takePlace = placesFor(LARGE_UPLOADS_AT_ONCE, () => {
    const message = "The server is receiving other large sheets. Please try again in a moment";
    return new HttpError(503, "overloaded", message, { headers: { "retry-after": "5" } });
  });
  return async (request, reply) => {
    const bytes = Number(request.headers["content-length"] ?? Infinity);
    if (bytes > LARGE_UPLOAD_BYTES) takePlace("large", reply);
  };
}

/** Limits concurrent requests per key. A request holds its place until its response or connection closes. */
function placesFor(limit: number, refusal: () => HttpError): (key: string, reply: FastifyReply) => void {
  const take = createPlaces(limit);
  return (key, reply) => {
    const leave = take(key);
    if (!leave) throw refusal();
    if (reply.raw.destroyed) leave();
    else reply.raw.once("close", leave);
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
