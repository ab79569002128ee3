import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { z } from "zod";
import {
  cardladderRequestSchema,
  cardsiqRequestSchema,
  cardsiqSchema,
  pricingSchema,
} from "@slabdesk/contract/api/prices.ts";
import { signedIn, viewerOf } from "../../http/guards.ts";
import { leftSignal } from "../../http/concurrent-requests.ts";
import { route } from "../../http/route-schemas.ts";
import type { SinglePricesService } from "./single-prices.service.ts";

const tags = ["prices"];

export function singlePricesRoutes(prices: SinglePricesService): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      "/api/cardladder-pricing",
      route(signedIn, pricingSchema, {
        tags,
        summary: "Get CardLadder's price of a card by cert number, or by the name and grade of a cached cert",
        body: cardladderRequestSchema,
      }),
      async (request, reply): Promise<z.input<typeof pricingSchema>> => {
        prices.demandOn("cardladder");
        const card = await prices.findCard(request.body);
        const caller = { userId: viewerOf(request).id, givenUp: leftSignal(reply) };
        return pricingSchema.parse(await prices.demandPrice("cardladder", card, caller));
      },
    );

    app.post(
      "/api/cardsiq-pricing",
      route(signedIn, cardsiqSchema, { tags, summary: "Get CardsIQ's price of one cert", body: cardsiqRequestSchema }),
      async (request, reply): Promise<z.input<typeof cardsiqSchema>> => {
        prices.demandOn("cardsiq");
        const { grader: company, certNumber } = request.body;
        const card = { company, certNumber: prices.readNumber(company, certNumber) };
        const caller = { userId: viewerOf(request).id, givenUp: leftSignal(reply) };
        return cardsiqSchema.parse(await prices.demandPrice("cardsiq", card, caller));
      },
    );
  };
}
