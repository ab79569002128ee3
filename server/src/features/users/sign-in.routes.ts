import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as peopleApi from "@slabdesk/contract/api/people.ts";
import { leftSignal } from "../../http/concurrent-requests.ts";
import { anyone, signedInOnce, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import { routeTagged } from "../../http/route-schemas.ts";
import type { Caller, SignInService } from "./sign-in.service.ts";

const route = routeTagged(["sign-in"]);
const SIGN_IN_HEADERS = ["set-cookie", "set-auth-token"];

export function signInRoutes(authSessions: SignInService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/auth/sign-in/email",
      route(anyone, peopleApi.signInAnswerSchema, {
        summary: "Sign in; an account with two-step sign-in also needs `code`",
        body: peopleApi.signInSchema,
      }),
      async (request, reply) => {
        const { token, user, session, headers } = await authSessions.signIn(request.body, callerOf(request, reply));
        passOn(reply, headers);
        return { token, user, session };
      },
    );

    app.post(
      "/api/auth/sign-out",
      route(anyone, peopleApi.signOutAnswerSchema, { summary: "Sign out" }),
      async (request, reply) => {
        void reply.header("set-cookie", await authSessions.signOut(request.headers));
        return { success: true as const };
      },
    );

    app.get(
      "/api/auth/get-session",
      route(anyone, peopleApi.currentAuthSessionSchema.nullable(), {
        summary: "Get the auth session and its user, or null",
      }),
      async (request, reply) => {
        const session = await authSessions.findSession(request.headers);
        if (session.kind === "deactivated") throw new HttpError(403, "deactivated", peopleApi.DEACTIVATED_MESSAGE);
        if (session.kind === "session") return session.answer;
        void reply.header("set-cookie", session.cookies);
        return null;
      },
    );

    app.post(
      "/api/auth/login",
      route(anyone, peopleApi.backendTokenSchema, {
        summary: "Get a bearer token for scripts with the backend password",
        body: peopleApi.passwordSchema,
      }),
      async (request, reply) => authSessions.backendLogin(request.body.password, callerOf(request, reply)),
    );

    app.get(
      "/api/auth/verify",
      route(signedInOnce, peopleApi.verifyAnswerSchema, { summary: "Verify the credentials" }),
      async (request) => ({ valid: true as const, user: viewerOf(request) }),
    );

    app.get(
      "/api/profile",
      route(signedInOnce, peopleApi.ownProfileSchema, { summary: "Get your profile" }),
      async (request) => viewerOf(request),
    );
  };
}

/** Passes better-auth's cookies and token on. */
export function passOn(reply: FastifyReply, headers: Headers) {
  for (const [name, value] of headers) if (SIGN_IN_HEADERS.includes(name)) void reply.header(name, value);
  return { success: true as const };
}

export function callerOf({ headers, ip }: FastifyRequest, reply: FastifyReply): Caller {
  return { address: ip, userAgent: headers["user-agent"], cookie: headers.cookie, gone: leftSignal(reply) };
}
