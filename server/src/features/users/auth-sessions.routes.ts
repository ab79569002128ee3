import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { authSessionListSchema } from "@slabdesk/contract/api/people.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import type { App } from "../../http/app-instance.ts";
import { admin, signedIn, signInOf, viewerOf } from "../../http/guards.ts";
import type { AuthSessionsService, EndAuthSessionsDialog } from "./auth-sessions.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["users"];
const response = { 200: authSessionListSchema, ...errors };
const byId = z.object({ id: z.string().max(100).overwrite(storableText) });
const byAuthSession = z.object({ authSessionId: z.string().max(100).overwrite(storableText) });

/** Routes for a user's own auth sessions and, for administrators, for any user's. */
export function authSessionsRoutes(authSessions: AuthSessionsService): FastifyPluginAsyncZod {
  return async (app) => {
    addOwn(app, authSessions);
    addAnybodys(app, authSessions);
  };
}

function addOwn(app: App, authSessions: AuthSessionsService): void {
  const onRequest = [signedIn];
  app.get(
    "/api/account/sign-ins",
    { onRequest, schema: { tags, summary: "List your auth sessions", response } },
    async (request) => authSessions.list(own(request)),
  );
  app.delete(
    "/api/account/sign-ins",
    { onRequest, schema: { tags, summary: "End your other auth sessions; returns the remaining one", response } },
    async (request) => authSessions.endAll(own(request)),
  );
  app.delete(
    "/api/account/sign-ins/:authSessionId",
    {
      onRequest,
      schema: {
        tags,
        summary: "End one of your other auth sessions; returns the rest",
        params: byAuthSession,
        response,
      },
    },
    async (request) => authSessions.end(own(request), request.params.authSessionId),
  );
}

function addAnybodys(app: App, authSessions: AuthSessionsService): void {
  const onRequest = [admin];
  app.get(
    "/api/admin/users/:id/sign-ins",
    { onRequest, schema: { tags, summary: "List a user's auth sessions", params: byId, response } },
    async (request) => authSessions.list(of(request, request.params.id)),
  );
  app.delete(
    "/api/admin/users/:id/sign-ins",
    {
      onRequest,
      schema: { tags, summary: "End a user's auth sessions, except the current one", params: byId, response },
    },
    async (request) => authSessions.endAll(of(request, request.params.id)),
  );
  app.delete(
    "/api/admin/users/:id/sign-ins/:authSessionId",
    {
      onRequest,
      schema: {
        tags,
        summary: "End one of a user's auth sessions",
        params: byId.extend(byAuthSession.shape),
        response,
      },
    },
    async (request) => authSessions.end(of(request, request.params.id), request.params.authSessionId),
  );
}

const own = (request: FastifyRequest): EndAuthSessionsDialog => of(request, viewerOf(request).id);

function of(request: FastifyRequest, userId: string): EndAuthSessionsDialog {
  return { viewer: viewerOf(request), authSessionId: signInOf(request), userId };
}
