import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import {
  currentAuthSessionSchema,
  backendLoginSchema,
  backendTokenSchema,
  DEACTIVATED_MESSAGE,
  profileSchema,
  signInAnswerSchema,
  signInSchema,
  signOutAnswerSchema,
  verifyAnswerSchema,
} from "@slabdesk/contract/api/people.ts";
import { anyone, signedInOnce, viewerOf } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Caller, SignInService } from "./sign-in.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["sign-in"];
const SIGN_IN_HEADERS = ["set-cookie", "set-auth-token"];

export function signInRoutes(authSessions: SignInService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/auth/sign-in/email",
      {
        onRequest: [anyone],
        schema: { tags, summary: "Sign in", body: signInSchema, response: { 200: signInAnswerSchema, ...errors } },
      },
      async (request, reply) => {
        const { token, user, session, headers } = await authSessions.signIn(request.body, callerOf(request));
        for (const [name, value] of headers) if (SIGN_IN_HEADERS.includes(name)) void reply.header(name, value);
        return { token, user, session };
      },
    );

    app.post(
      "/api/auth/sign-out",
      { onRequest: [anyone], schema: { tags, summary: "Sign out", response: { 200: signOutAnswerSchema, ...errors } } },
      async (request, reply) => {
        void reply.header("set-cookie", await authSessions.signOut(request.headers));
        return { success: true as const };
      },
    );

    app.get(
      "/api/auth/get-session",
      {
        onRequest: [anyone],
        schema: {
          tags,
          summary: "Get the current auth session and user; null if not signed in",
          response: { 200: currentAuthSessionSchema.nullable(), ...errors },
        },
      },
      async (request, reply) => {
        const session = await authSessions.findSession(request.headers);
        if (session.kind === "deactivated") throw new HttpError(403, "deactivated", DEACTIVATED_MESSAGE);
        void reply.headers({ "cache-control": "no-store", "set-cookie": session.cookies });
        return reply.send(session.kind === "session" ? session.answer : null);
      },
    );

    app.post(
      "/api/auth/login",
      {
        onRequest: [anyone],
        schema: {
          tags,
          summary: "Get a bearer token for scripts with the backend password",
          body: backendLoginSchema,
          response: { 200: backendTokenSchema, ...errors },
        },
      },
      async (request) => authSessions.backendLogin(request.body.password, callerOf(request)),
    );

    app.get(
      "/api/auth/verify",
      {
        onRequest: [signedInOnce],
        schema: { tags, summary: "Verify the credentials", response: { 200: verifyAnswerSchema, ...errors } },
      },
      async (request) => ({ valid: true as const, user: viewerOf(request) }),
    );

    app.get(
      "/api/profile",
      {
        onRequest: [signedInOnce],
        schema: { tags, summary: "Get your profile", response: { 200: profileSchema, ...errors } },
      },
      async (request) => viewerOf(request),
    );
  };
}

function callerOf(request: FastifyRequest): Caller {
  return { address: request.ip, userAgent: request.headers["user-agent"] };
}
