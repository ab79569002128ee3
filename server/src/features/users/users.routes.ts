import { z } from "zod";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import {
  newUserPasswordSchema,
  newUserSchema,
  profileSchema,
  userChangeSchema,
  userListQuerySchema,
  userListSchema,
} from "@slabdesk/contract/api/people.ts";
import { tableViewSchema } from "@slabdesk/contract/api/table-view.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import { admin, signedIn, viewerOf } from "../../http/guards.ts";
import type { UsersService } from "./users.service.ts";

const errors = { "4xx": errorBodySchema, "5xx": errorBodySchema };
const tags = ["users"];
const byId = z.object({ id: z.string().max(100).overwrite(storableText) });

export function usersRoutes(users: UsersService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/users",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "List all users, oldest first",
          querystring: userListQuerySchema,
          response: { 200: userListSchema, ...errors },
        },
      },
      async (request) => users.list(request.query.cursor, request.query.limit),
    );

    app.post(
      "/api/admin/users",
      {
        onRequest: [admin],
        schema: { tags, summary: "Add a user", body: newUserSchema, response: { 201: profileSchema, ...errors } },
      },
      async (request, reply) => reply.code(201).send(await users.create(viewerOf(request), request.body)),
    );

    app.get(
      "/api/admin/users/new",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "Get the initial password for a new user: the configured default or a generated one",
          response: { 200: newUserPasswordSchema, ...errors },
        },
      },
      async (_request, reply) => reply.header("cache-control", "no-store").send(users.newPassword()),
    );

    app.patch(
      "/api/admin/users/:id",
      {
        onRequest: [admin],
        schema: {
          tags,
          summary: "Activate or deactivate a user, or change the role; deactivation ends the user's auth sessions",
          params: byId,
          body: userChangeSchema,
          response: { 200: profileSchema, ...errors },
        },
      },
      async (request) => users.change(viewerOf(request), request.params.id, request.body),
    );

    app.get(
      "/api/table-view",
      {
        onRequest: [signedIn],
        schema: { tags, summary: "Get your results table layout", response: { 200: tableViewSchema, ...errors } },
      },
      async (request) => ({ view: await users.tableView(viewerOf(request)) }),
    );

    app.put(
      "/api/table-view",
      {
        onRequest: [signedIn],
        schema: {
          tags,
          summary: "Save your results table layout; null deletes it",
          body: tableViewSchema,
          response: { 200: tableViewSchema, ...errors },
        },
      },
      async (request) => {
        await users.keepTableView(viewerOf(request), request.body.view);
        return request.body;
      },
    );
  };
}
