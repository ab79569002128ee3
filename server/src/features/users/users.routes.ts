import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import * as people from "@slabdesk/contract/api/people.ts";
import { LARGEST_TEXT_BYTES } from "../../http/body-limits.ts";
import { admin, signedIn, signedInOnce, signedInToSetUp, signInOf, viewerOf } from "../../http/guards.ts";
import { byId, creatingRoute, pathId, routeTagged } from "../../http/route-schemas.ts";
import type { AuthSessionsService, AuthSessionsRequest } from "./auth-sessions.service.ts";
import type { PasswordsService } from "./passwords.service.ts";
import { callerOf, passOn } from "./sign-in.routes.ts";
import type { TwoStepRequest, TwoStepService } from "./two-step.service.ts";
import type { UsersService } from "./users.service.ts";

const tags = ["users"];
const route = routeTagged(tags);
const byAuthSession = z.object({ authSessionId: pathId });

export function usersRoutes(users: UsersService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/users",
      route(admin, people.userListSchema, {
        summary: "List all users, oldest first",
        querystring: people.userListQuerySchema,
      }),
      async (request) => users.list(request.query.cursor, request.query.limit),
    );

    app.post(
      "/api/admin/users",
      creatingRoute(admin, people.profileSchema, { tags, summary: "Add a user", body: people.newUserSchema }),
      async (request, reply) => reply.code(201).send(await users.create(viewerOf(request), request.body)),
    );

    app.get(
      "/api/admin/users/new",
      route(admin, people.newUserPasswordSchema, { summary: "Get the initial password of a new user" }),
      async () => users.newPassword(),
    );

    app.patch(
      "/api/admin/users/:id",
      route(admin, people.profileSchema, {
        summary: "Activate or deactivate a user, or change the role; deactivation ends the user's auth sessions",
        params: byId,
        body: people.userChangeSchema,
      }),
      async (request) => users.change(viewerOf(request), request.params.id, request.body),
    );

    app.get(
      "/api/table-view",
      route(signedIn, people.tableViewSchema, { summary: "Get your results table layout" }),
      async (request) => ({ view: await users.tableView(viewerOf(request)) }),
    );

    app.put(
      "/api/table-view",
      route(signedIn, people.tableViewSchema, {
        summary: "Save your results table layout; null deletes it",
        body: people.tableViewSchema,
        options: { bodyLimit: LARGEST_TEXT_BYTES },
      }),
      async (request) => {
        await users.keepTableView(viewerOf(request), request.body.view);
        return request.body;
      },
    );
  };
}

export function passwordsRoutes(passwords: PasswordsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/account/password",
      route(signedInOnce, people.profileSchema, {
        summary: "Change your password; ends all your other auth sessions",
        body: people.passwordChangeSchema,
      }),
      async (request) => {
        const caller = { viewer: viewerOf(request), authSessionId: signInOf(request), address: request.ip };
        return passwords.change(caller, request.body);
      },
    );

    app.post(
      "/api/admin/users/:id/password",
      creatingRoute(admin, people.oneTimePasswordSchema, {
        tags,
        summary: "Set a one-time password for a user, valid for a week; ends all of the user's auth sessions",
        params: byId,
      }),
      async (request, reply) => reply.code(201).send(await passwords.reset(viewerOf(request), request.params.id)),
    );
  };
}

export function twoStepRoutes(twoStep: TwoStepService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/account/two-step",
      route(signedInToSetUp, people.twoStepSetupSchema, {
        summary: "Start setting up two-step sign-in; get the secret and ten recovery codes, once",
        body: people.passwordSchema,
      }),
      async (request, reply) => twoStep.begin(twoStepRequestOf(request, reply), request.body.password),
    );
    app.post(
      "/api/account/two-step/confirm",
      route(signedInToSetUp, people.signOutAnswerSchema, {
        summary: "Turn two-step sign-in on with a first code; replaces the auth session",
        body: people.twoStepCodeSchema,
      }),
      async (request, reply) =>
        passOn(reply, await twoStep.confirm(twoStepRequestOf(request, reply), request.body.code)),
    );
    app.post(
      "/api/account/two-step/turn-off",
      route(signedInToSetUp, people.signOutAnswerSchema, {
        summary: "Turn two-step sign-in off; replaces the auth session",
        body: people.passwordSchema,
      }),
      async (request, reply) =>
        passOn(reply, await twoStep.turnOff(twoStepRequestOf(request, reply), request.body.password)),
    );
    app.delete(
      "/api/admin/users/:id/two-step",
      route(admin, people.profileSchema, { summary: "Turn a user's two-step sign-in off", params: byId }),
      async (request) => twoStep.reset(viewerOf(request), request.params.id),
    );
  };
}

function twoStepRequestOf(request: FastifyRequest, reply: FastifyReply): TwoStepRequest {
  return { ...own(request), credentials: request.headers, caller: callerOf(request, reply) };
}

export function authSessionsRoutes(authSessions: AuthSessionsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/account/auth-sessions",
      route(signedIn, people.authSessionListSchema, { summary: "List your auth sessions" }),
      async (request) => authSessions.list(own(request)),
    );
    app.delete(
      "/api/account/auth-sessions",
      route(signedIn, people.authSessionListSchema, {
        summary: "End your other auth sessions; returns the remaining one",
      }),
      async (request) => authSessions.endAll(own(request)),
    );
    app.delete(
      "/api/account/auth-sessions/:authSessionId",
      route(signedIn, people.authSessionListSchema, {
        summary: "End one of your other auth sessions; returns the rest",
        params: byAuthSession,
      }),
      async (request) => authSessions.end(own(request), request.params.authSessionId),
    );
    app.get(
      "/api/admin/users/:id/auth-sessions",
      route(admin, people.authSessionListSchema, { summary: "List a user's auth sessions", params: byId }),
      async (request) => authSessions.list(of(request, request.params.id)),
    );
    app.delete(
      "/api/admin/users/:id/auth-sessions",
      route(admin, people.authSessionListSchema, {
        summary: "End a user's auth sessions, except the current one",
        params: byId,
      }),
      async (request) => authSessions.endAll(of(request, request.params.id)),
    );
    app.delete(
      "/api/admin/users/:id/auth-sessions/:authSessionId",
      route(admin, people.authSessionListSchema, {
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
