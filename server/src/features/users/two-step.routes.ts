import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import {
  profileSchema,
  signOutAnswerSchema,
  twoStepCodeSchema,
  twoStepPasswordSchema,
  twoStepSetupSchema,
} from "@slabdesk/contract/api/people.ts";
import { admin, signedInOnce, viewerOf } from "../../http/guards.ts";
import { byId, route } from "../../http/route-schemas.ts";
import { callerOf, passOn } from "./sign-in.routes.ts";
import type { TwoStepRequest, TwoStepService } from "./two-step.service.ts";

const tags = ["users"];

/** Routes for a user's own two-step sign-in and, for administrators, for turning off any other user's. */
export function twoStepRoutes(twoStep: TwoStepService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/account/two-step",
      route(signedInOnce, twoStepSetupSchema, {
        tags,
        summary: "Start setting up two-step sign-in; get the secret and ten recovery codes, once",
        body: twoStepPasswordSchema,
      }),
      async (request, reply) => {
        void reply.header("cache-control", "no-store");
        return twoStep.begin(twoStepRequestOf(request), request.body.password);
      },
    );
    app.post(
      "/api/account/two-step/confirm",
      route(signedInOnce, signOutAnswerSchema, {
        tags,
        summary: "Turn two-step sign-in on with a first code; replaces the auth session",
        body: twoStepCodeSchema,
      }),
      async (request, reply) => {
        passOn(reply, await twoStep.confirm(twoStepRequestOf(request), request.body.code));
        return { success: true as const };
      },
    );
    app.post(
      "/api/account/two-step/turn-off",
      route(signedInOnce, signOutAnswerSchema, {
        tags,
        summary: "Turn two-step sign-in off; replaces the auth session",
        body: twoStepPasswordSchema,
      }),
      async (request, reply) => {
        passOn(reply, await twoStep.turnOff(twoStepRequestOf(request), request.body.password));
        return { success: true as const };
      },
    );
    app.delete(
      "/api/admin/users/:id/two-step",
      route(admin, profileSchema, { tags, summary: "Turn a user's two-step sign-in off", params: byId }),
      async (request) => twoStep.reset(viewerOf(request), request.params.id),
    );
  };
}

function twoStepRequestOf(request: FastifyRequest): TwoStepRequest {
  return { viewer: viewerOf(request), credentials: request.headers, caller: callerOf(request) };
}
