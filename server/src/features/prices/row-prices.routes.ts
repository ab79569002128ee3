import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { rowSalesSchema } from "@slabdesk/contract/api/prices.ts";
import { resultRowSchema } from "@slabdesk/contract/api/results.ts";
import { repriceRequestSchema, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { LARGEST_SELECTION_BYTES } from "../../http/body-limits.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { leftSignal } from "../../http/left-signal.ts";
import { byId, onRow, onSession, route } from "../../http/route-schemas.ts";
import type { RowPricesService } from "./row-prices.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";

export function rowPricesRoutes(sessions: SessionsService, prices: RowPricesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/scan-sessions/:id/reprice",
      {
        ...onSession(scanSessionSchema, {
          summary:
            "Request prices of all found cards or the given rows, unless a quote of the last day exists. Makes no grader calls. The session's " +
            "status does not change; `prices.pending` is the number of open prices",
          body: repriceRequestSchema,
        }),
        bodyLimit: LARGEST_SELECTION_BYTES,
      },
      async (request) => {
        const viewer = viewerOf(request);
        const session = await sessions.authorize(viewer, request.params.id);
        return prices.reprice(viewer, session, request.body?.rowIds?.map(Number) ?? null);
      },
    );

    app.post(
      "/api/scan-results/:id/pricing",
      route(signedIn, resultRowSchema, {
        tags: ["scan results"],
        summary: "Fetch the price of a row from every configured price source",
        params: byId,
      }),
      async (request, reply) => {
        const viewer = viewerOf(request);
        return prices.getPrice(viewer, await sessions.authorizeRow(viewer, request.params.id), leftSignal(reply));
      },
    );

    app.get(
      "/api/scan-results/:id/sales",
      onRow(rowSalesSchema, { summary: "List the sales behind a row's prices, newest first" }),
      async (request) => prices.sales(await sessions.authorizeRow(viewerOf(request), request.params.id)),
    );
  };
}
