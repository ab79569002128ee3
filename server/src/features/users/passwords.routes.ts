import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { oneTimePasswordSchema, passwordChangeSchema, profileSchema } from "@slabdesk/contract/api/people.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import { admin, signedInOnce, signInOf, viewerOf } from "../../http/guards.ts";
import type { PasswordsService } from "./passwords.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["users"];
const byId = z.object({ id: z.string().max(100).overwrite(storableText) });

export function passwordsRoutes(passwords: PasswordsService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/account/password",
      {
        onRequest: [signedInOnce],
        schema: {
          tags,
          summary: "Change your password; ends all your other auth sessions",
          body: passwordChangeSchema,
          response: { 200: profileSchema, ...errors },
        },
      },
      async (request) => {
        const asker = { viewer: viewerOf(request), authSessionId: signInOf(request), address: request.ip };
        return passwords.change(asker, request.body);
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
