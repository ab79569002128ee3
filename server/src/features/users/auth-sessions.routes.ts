import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { authSessionListSchema } from "@slabdesk/contract/api/people.ts";
import { admin, signedIn, signInOf, viewerOf } from "../../http/guards.ts";
import { byId, pathId, route } from "../../http/route-schemas.ts";
import type { AuthSessionsService, AuthSessionsRequest } from "./auth-sessions.service.ts";

const tags = ["users"];
const byAuthSession = z.object({ authSessionId: pathId });

/** Routes for a user's own auth sessions and, for administrators, for any user's. */
export function authSessionsRoutes(authSessions: AuthSessionsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/account/sign-ins",
      route(signedIn, authSessionListSchema, { tags, summary: "List your auth sessions" }),
      async (request) => authSessions.list(own(request)),
    );
    app.delete(
      "/api/account/sign-ins",
      route(signedIn, authSessionListSchema, {
        tags,
        summary: "End your other auth sessions; returns the remaining one",
      }),
      async (request) => authSessions.endAll(own(request)),
    );
    app.delete(
      "/api/account/sign-ins/:authSessionId",
      route(signedIn, authSessionListSchema, {
        tags,
        summary: "End one of your other auth sessions; returns the rest",
        params: byAuthSession,
      }),
      async (request) => authSessions.end(own(request), request.params.authSessionId),
    );
    app.get(
      "/api/admin/users/:id/sign-ins",
      route(admin, authSessionListSchema, { tags, summary: "List a user's auth sessions", params: byId }),
      async (request) => authSessions.list(of(request, request.params.id)),
    );
    app.delete(
      "/api/admin/users/:id/sign-ins",
      route(admin, authSessionListSchema, {
        tags,
        summary: "End a user's auth sessions, except the current one",
        params: byId,
      }),
      async (request) => authSessions.endAll(of(request, request.params.id)),
    );
    app.delete(
      "/api/admin/users/:id/sign-ins/:authSessionId",
      route(admin, authSessionListSchema, {
        tags,
        summary: "End one of a user's auth sessions",
        params: byId.extend(byAuthSession.shape),
      }),
      async (request) => authSessions.end(of(request, request.params.id), request.params.authSessionId),
    );
  };
}

const own = (request: FastifyRequest): AuthSessionsRequest => of(request, viewerOf(request).id);

function of(request: FastifyRequest, userId: string): AuthSessionsRequest {
  return { viewer: viewerOf(request), authSessionId: signInOf(request), userId };
}
