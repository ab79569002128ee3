import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
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
import { createShares } from "../../concurrency/shares.ts";
import { heavyWork, READING_MS } from "../../concurrency/budgets.ts";
import { holdPlace, largePages, leftSignal, refusalOf } from "../../http/concurrent-requests.ts";
import { admin, type App, mayStillFollow, viewerOf } from "../../http/guards.ts";
import { noSuchThing } from "../../http/http-error.ts";
import { EVENT_STREAM } from "../../http/overload.ts";
import { onSession, signedInRoute, unparsedAnswer } from "../../http/route-schemas.ts";
import { deleteSession, type DeletionContext } from "./deletion.service.ts";
import type { SessionEvents } from "./sessions.events.ts";
import type { SessionRow } from "./sessions.present.ts";

/** The rows of a page that needs no place. */
const SMALL_PAGE = 250;
/** Maximum event streams per user. A browser opens at most six connections to a server. */
const STREAMS_A_PERSON = 30;
/** Interval of the heartbeat, which keeps idle connections open. */
const HEARTBEAT_MS = 5_000;
/** Auth sessions also expire, without a notification. */
const CHECK_MS = 60_000;
const eventId = z.coerce.number().int().min(0).optional();

type SessionsRoutesParts = DeletionContext & { events: SessionEvents };

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

  app.get(
    "/api/scan-sessions/:id/results",
    onSession(resultsPageSchema, {
      summary: "List a session's rows, oldest first, or those that changed after an event",
      querystring: resultsQuerySchema,
      options: unparsedAnswer,
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const session = await sessions.open(viewer, request.params.id);
      const { since, ...page } = request.query;
      if (since !== undefined || page.limit > SMALL_PAGE) await holdPlace(largePages, request, reply);
      if (since === undefined) return sessions.results(viewer, session, page);
      const changes = await heavyWork.charge(viewer.id, () => sessions.changes(session.id, since), READING_MS);
      if (!changes) throw noSuchThing("session");
      return { results: changes.results, nextCursor: null, eventSeq: changes.session.eventSeq };
    },
  );
}

function addChanges(app: App, parts: SessionsRoutesParts): void {
  const { sessions } = parts;
  app.patch(
    "/api/scan-sessions/:id",
    onSession(scanSessionSchema, { summary: "Rename a session or set its offer rule", body: sessionChangeSchema }),
    async (request) => sessions.change(await sessions.open(viewerOf(request), request.params.id), request.body),
  );

  app.delete(
    "/api/scan-sessions/:id",
    onSession(sessionDeletedSchema, {
      summary: "Delete any user's session and its results",
      options: { onRequest: [admin] },
    }),
    async (request) => {
      const viewer = viewerOf(request);
      const session = await sessions.authorize(viewer, request.params.id);
      return { success: true as const, deletedResults: await deleteSession(parts, viewer, session) };
    },
  );
}

function addEvents(app: App, parts: SessionsRoutesParts): void {
  const refuse = refusalOf("Too many tabs show running sessions. Close some and reload this one", 30);
  const streams = createShares({ total: Infinity, each: STREAMS_A_PERSON, waiting: 0, refuse });
  app.get(
    "/api/scan-sessions/:id/events",
    onSession(z.unknown(), {
      summary:
        "Stream server-sent events named `scan`: changes after Last-Event-ID (or `lastEventId`), then each new change",
      querystring: z.object({ lastEventId: eventId }),
      headers: z.object({ "last-event-id": eventId.catch(undefined) }),
      produces: [EVENT_STREAM],
      options: { exposeHeadRoute: false },
    }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const session = await parts.sessions.open(viewer, request.params.id);
      const since = request.headers["last-event-id"] ?? request.query.lastEventId ?? null;
      request.releasePlace?.();
      await streams.run(viewer.id, () => sendEvents(parts, request, reply, { session, since }), leftSignal(reply));
    },
  );
}

/** Writes events to the response until the client disconnects, the viewer loses access, or the events end. */
async function sendEvents(
  { events, notifications }: SessionsRoutesParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, since }: { session: SessionRow; since: number | null },
): Promise<void> {
  const { id: person } = viewerOf(request);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  reply.hijack();
  const response = reply.raw;
  if (response.destroyed) return;
  response.on("close", end);
  // A hijacked reply doesn't send the headers that hooks have set.
  for (const [name, value = ""] of Object.entries(reply.getHeaders())) response.setHeader(name, value);
  response.writeHead(200, {
    "content-type": `${EVENT_STREAM}; charset=utf-8`,
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  response.write("retry: 2000\n\n");
  // The viewer may have been signed out between the guard and `watch`.
  let checked = endUnlessAllowed(request, end);
  const check = (): void => {
    checked = endUnlessAllowed(request, end);
  };
  const unwatch = notifications.watch("auth_sessions", person, check);
  const beat = (): boolean => !ending.signal.aborted && response.write(": still here\n\n");
  const timers = [setInterval(beat, HEARTBEAT_MS), setInterval(check, CHECK_MS)];
  try {
    for await (const text of events.follow(person, session, since, ending.signal)) {
      await checked;
      if (ending.signal.aborted) break;
      await write(response, text, ending.signal);
    }
  } catch (error) {
    // The browser reconnects automatically and continues after the last event it received.
    if (!ending.signal.aborted) request.log.error({ err: error }, "Event stream failed");
  } finally {
    for (const timer of timers) clearInterval(timer);
    unwatch();
    response.end();
  }
}

async function endUnlessAllowed(request: FastifyRequest, end: () => void): Promise<void> {
  try {
    if (!(await mayStillFollow(request))) end();
  } catch (error) {
    request.log.error({ err: error }, "Failed to check the viewer of an event stream");
    end();
  }
}

/** Waits for `drain`, so that a slow reader does not fill the server's memory. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text) && !signal.aborted) await once(response, "drain", { signal });
}
