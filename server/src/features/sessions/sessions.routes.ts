import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { resultsPageSchema, resultsQuerySchema } from "@slabdesk/contract/api/results.ts";
import {
  scanSessionSchema,
  sessionChangeSchema,
  sessionListQuerySchema,
  sessionListSchema,
} from "@slabdesk/contract/api/sessions.ts";
import { sessionDeletedSchema } from "@slabdesk/contract/api/stats.ts";
import type { Notifications } from "../../database/notifications.ts";
import type { App } from "../../http/app-instance.ts";
import { createShares } from "../../concurrency/shares.ts";
import { holdPlace, ordinary, refusalOf } from "../../http/concurrent-requests.ts";
import { admin, signedIn, viewerOf } from "../../http/guards.ts";
import { noSuchThing } from "../../http/http-error.ts";
import { byId, errors, onSession, signedInRoute, unparsedAnswer } from "../../http/route-schemas.ts";
import type { DeletionService } from "./deletion.service.ts";
import type { SessionEvents } from "./sessions.events.ts";
import type { SessionsService } from "./sessions.service.ts";
import { sendEvents } from "./event-stream.routes.ts";

/** The rows of a page that needs no place. */
const SMALL_PAGE = 250;
/** Maximum event streams per user. A browser opens at most six connections to a server. */
const STREAMS_A_PERSON = 30;
const eventsQuery = z.object({ lastEventId: z.coerce.number().int().min(0).optional() });
const eventsHeaders = z.object({ "last-event-id": z.coerce.number().int().min(0).optional().catch(undefined) });

export type SessionsRoutesParts = {
  sessions: SessionsService;
  deletion: DeletionService;
  events: SessionEvents;
  notifications: Notifications;
};

export function sessionsRoutes(parts: SessionsRoutesParts): FastifyPluginAsyncZod {
  return async (app) => {
    addReading(app, parts);
    addChanges(app, parts);
    addEvents(app, parts);
  };
}

function addReading(app: App, { sessions }: SessionsRoutesParts): void {
  app.get(
    "/api/scan-sessions",
    signedInRoute(sessionListSchema, {
      tags: ["scan sessions"],
      summary: "List your sessions, newest first",
      querystring: sessionListQuerySchema,
    }),
    async (request) => sessions.list(viewerOf(request), request.query),
  );

  app.get("/api/scan-sessions/:id", onSession(scanSessionSchema, { summary: "Get a session" }), async (request) =>
    sessions.present(await sessions.authorize(viewerOf(request), request.params.id)),
  );

  const refuse = refusalOf("Your other pages of rows are still being read. Wait for them, then try again");
  const places = createShares({ total: 12, each: 3, waiting: 30, patienceMs: 30_000, refuse });
  app.get(
    "/api/scan-sessions/:id/results",
    {
      ...onSession(resultsPageSchema, {
        summary: "List a session's rows, oldest first, or those that changed after an event",
        querystring: resultsQuerySchema,
      }),
      ...unparsedAnswer,
      onRequest: [signedIn],
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { since, ...page } = request.query;
      const isLarge = since !== undefined || page.limit > SMALL_PAGE;
      await holdPlace(isLarge ? places : ordinary, request, reply);
      const session = await sessions.authorize(viewer, request.params.id);
      if (since === undefined) return sessions.results(viewer, session, page);
      const changes = await sessions.changes(session.id, since);
      if (!changes) throw noSuchThing("session");
      return { results: changes.results, nextCursor: null, eventSeq: changes.session.eventSeq };
    },
  );
}

function addChanges(app: App, { sessions, deletion }: SessionsRoutesParts): void {
  app.patch(
    "/api/scan-sessions/:id",
    onSession(scanSessionSchema, { summary: "Rename a session or set its offer rule", body: sessionChangeSchema }),
    async (request) => sessions.change(await sessions.authorize(viewerOf(request), request.params.id), request.body),
  );

  app.delete(
    "/api/scan-sessions/:id",
    {
      ...onSession(sessionDeletedSchema, { summary: "Delete any user's session and its results" }),
      onRequest: [admin],
    },
    async (request) => {
      const viewer = viewerOf(request);
      const session = await sessions.authorize(viewer, request.params.id);
      return { success: true as const, deletedResults: await deletion.delete(viewer, session) };
    },
  );
}

function addEvents(app: App, { sessions, events, notifications }: SessionsRoutesParts): void {
  const refuse = refusalOf("Too many tabs show running sessions. Close some and reload this one", 30);
  const streams = createShares({ total: Infinity, each: STREAMS_A_PERSON, waiting: 0, refuse });
  app.get(
    "/api/scan-sessions/:id/events",
    {
      exposeHeadRoute: false,
      onRequest: [signedIn],
      schema: {
        tags: ["scan sessions"],
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
      const session = await sessions.authorize(viewer, request.params.id);
      await holdPlace(streams, request, reply);
      const since = request.headers["last-event-id"] ?? request.query.lastEventId ?? null;
      await sendEvents(request, reply, {
        follow: (signal) => events.follow(viewer.id, session.id, since, signal),
        watchViewer: (onNotice) => notifications.watch("sign_ins", viewer.id, onNotice),
      });
    },
  );
}
