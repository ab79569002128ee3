import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { z } from "zod";
import {
  cardladderRequestSchema,
  cardsiqRequestSchema,
  cardsiqSchema,
  pricingSchema,
  rowSalesSchema,
} from "@slabdesk/contract/api/prices.ts";
import { resultRowSchema } from "@slabdesk/contract/api/results.ts";
import { repriceRequestSchema, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { viewerOf } from "../../http/guards.ts";
import { leftSignal } from "../../http/concurrent-requests.ts";
import { onRow, onSelection, signedInRoute } from "../../http/route-schemas.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";
import type { RowPricesService } from "./row-prices.service.ts";
import type { SinglePricesService } from "./single-prices.service.ts";

export function pricesRoutes(
  sessions: SessionsService,
  prices: RowPricesService,
  singlePrices: SinglePricesService,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/cardladder-pricing",
      signedInRoute(pricingSchema, {
        tags: ["prices"],
        summary: "Get CardLadder's price of a card by cert number, or by the name and grade of a cached cert",
        body: cardladderRequestSchema,
        options: { config: { isLong: true } },
      }),
      async (request, reply): Promise<z.input<typeof pricingSchema>> => {
        const find = async () => {
          const card = await singlePrices.findCard(request.body);
          request.releasePlace?.();
          return card;
        };
        const caller = { userId: viewerOf(request).id, givenUp: leftSignal(reply) };
        return pricingSchema.parse(await singlePrices.demandPrice("cardladder", find, caller));
      },
    );

    app.post(
      "/api/cardsiq-pricing",
      signedInRoute(cardsiqSchema, {
        tags: ["prices"],
        summary: "Get CardsIQ's price of one cert",
        body: cardsiqRequestSchema,
        options: { config: { isLong: true } },
      }),
      async (request, reply): Promise<z.input<typeof cardsiqSchema>> => {
        const { grader: company, certNumber } = request.body;
        const find = () => ({ company, certNumber: singlePrices.readNumber(company, certNumber) });
        const caller = { userId: viewerOf(request).id, givenUp: leftSignal(reply) };
        request.releasePlace?.();
        return cardsiqSchema.parse(await singlePrices.demandPrice("cardsiq", find, caller));
      },
    );

    app.post(
      "/api/scan-sessions/:id/reprice",
      onSelection(scanSessionSchema, {
        summary:
          "Request prices of all found cards or the given rows, unless a quote of the last day exists. Makes no grader calls. The session's " +
          "status does not change; `prices.pending` is the number of open prices",
        body: repriceRequestSchema,
      }),
      async (request) => {
        const session = await sessions.authorize(viewerOf(request), request.params.id);
        return prices.reprice(viewerOf(request), session, request.body?.rowIds?.map(Number) ?? null);
      },
    );

    app.post(
      "/api/scan-results/:id/pricing",
      onRow(resultRowSchema, {
        summary: "Fetch the price of a row from every configured price source",
        options: { config: { isLong: true } },
      }),
      async (request, reply) => {
        const viewer = viewerOf(request);
        const row = await sessions.authorizeRow(viewer, request.params.id);
        request.releasePlace?.();
        return prices.getPrice(viewer, row, { changePlaces: app.changePlaces, givenUp: leftSignal(reply) });
      },
    );

    app.get(
      "/api/scan-results/:id/sales",
      onRow(rowSalesSchema, { summary: "List the sales behind a row's prices, newest first" }),
      async (request) => prices.sales(await sessions.authorizeRow(viewerOf(request), request.params.id)),
    );
  };
}
