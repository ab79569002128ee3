import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { oneTimePasswordSchema, passwordChangeSchema, profileSchema } from "@slabdesk/contract/api/people.ts";
import { admin, signedInOnce, signInOf, viewerOf } from "../../http/guards.ts";
import { byId, errors, route } from "../../http/route-schemas.ts";
import type { PasswordsService } from "./passwords.service.ts";

const tags = ["users"];

export function passwordsRoutes(passwords: PasswordsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/account/password",
      route(signedInOnce, profileSchema, {
        tags,
        summary: "Change your password; ends all your other auth sessions",
        body: passwordChangeSchema,
      }),
      async (request) => {
        const caller = { viewer: viewerOf(request), authSessionId: signInOf(request), address: request.ip };
        return passwords.change(caller, request.body);
      },
    );

    app.post(
      "/api/admin/users/:id/password",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "Set a one-time password for a user, valid for a week; ends all of the user's auth sessions",
          params: byId,
          response: { 201: oneTimePasswordSchema, ...errors },
        },
      },
      async (request, reply) => {
        const given = await passwords.reset(viewerOf(request), request.params.id);
        return reply.code(201).header("cache-control", "no-store").send(given);
      },
    );
  };
}
