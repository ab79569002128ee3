import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { entryCardSchema } from "@slabdesk/contract/api/entry.ts";
import { resultRowSchema } from "@slabdesk/contract/api/results.ts";
import { viewerOf } from "../../http/guards.ts";
import { onRow } from "../../http/route-schemas.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";
import type { EntriesService } from "./entries.service.ts";

const PATH = "/api/scan-results/:id/entry";

export function entriesRoutes(
  sessions: Pick<SessionsService, "authorizeRow">,
  entries: EntriesService,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.put(
      PATH,
      onRow(resultRowSchema, {
        summary:
          "Enter a card by hand for a row that failed, waits or has no name, or change such an entry. The session's other rows of the card take it too",
        body: entryCardSchema,
      }),
      async (request) => {
        const viewer = viewerOf(request);
        return entries.save(viewer, await sessions.authorizeRow(viewer, request.params.id), request.body);
      },
    );

    app.delete(
      PATH,
      onRow(resultRowSchema, {
        summary: "Remove a card entered by hand. The row fails as it did before",
      }),
      async (request) => {
        const viewer = viewerOf(request);
        return entries.remove(viewer, await sessions.authorizeRow(viewer, request.params.id));
      },
    );
  };
}
