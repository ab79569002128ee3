import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import {
  newUserPasswordSchema,
  newUserSchema,
  profileSchema,
  userChangeSchema,
  userListQuerySchema,
  userListSchema,
} from "@slabdesk/contract/api/people.ts";
import { tableViewSchema } from "@slabdesk/contract/api/table-view.ts";
import { LARGEST_TEXT_BYTES } from "../../http/body-limits.ts";
import { admin, signedIn, viewerOf } from "../../http/guards.ts";
import { byId, errors, route } from "../../http/route-schemas.ts";
import type { UsersService } from "./users.service.ts";

const tags = ["users"];

export function usersRoutes(users: UsersService): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/users",
      route(admin, userListSchema, { tags, summary: "List all users, oldest first", querystring: userListQuerySchema }),
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
      route(admin, newUserPasswordSchema, {
        tags,
        summary: "Get the initial password for a new user: the configured default or a generated one",
      }),
      async (_request, reply) => reply.header("cache-control", "no-store").send(users.newPassword()),
    );

    app.patch(
      "/api/admin/users/:id",
      route(admin, profileSchema, {
        tags,
        summary: "Activate or deactivate a user, or change the role; deactivation ends the user's auth sessions",
        params: byId,
        body: userChangeSchema,
      }),
      async (request) => users.change(viewerOf(request), request.params.id, request.body),
    );

    app.get(
      "/api/table-view",
      route(signedIn, tableViewSchema, { tags, summary: "Get your results table layout" }),
      async (request) => ({ view: await users.tableView(viewerOf(request)) }),
    );

    app.put(
      "/api/table-view",
      {
        ...route(signedIn, tableViewSchema, {
          tags,
          summary: "Save your results table layout; null deletes it",
          body: tableViewSchema,
        }),
        bodyLimit: LARGEST_TEXT_BYTES,
      },
      async (request) => {
        await users.keepTableView(viewerOf(request), request.body.view);
        return request.body;
      },
    );
  };
}
