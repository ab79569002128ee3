import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { cardAnswerSchema, cardQuerySchema, type Mode } from "@slabdesk/contract/api/cards.ts";
import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { refuseCrossSite, signedIn, viewerOf } from "../../http/guards.ts";
import { leftSignal } from "../../http/concurrent-requests.ts";
import { signedInRoute } from "../../http/route-schemas.ts";
import { errorOf, readNumber, type CertsService } from "./certs.service.ts";

/** Three routes per company: "-api" uses the API, no suffix uses the page, "-with-fallback" uses both. */
const ROUTES: { suffix: string; mode: Mode; summary: string }[] = [
  { suffix: "-api", mode: "api", summary: "through the API" },
  { suffix: "", mode: "scraping", summary: "on its public page" },
  { suffix: "-with-fallback", mode: "api-with-fallback", summary: "through the API, then on its public page" },
];

export function certsRoutes(certs: CertsService, now: () => Date): FastifyPluginAsyncZod {
  return async (app) => {
    for (const company of COMPANIES) {
      for (const { suffix, mode, summary } of ROUTES) {
        app.get(
          `/api/${company.toLowerCase()}${suffix}/:cert`,
          signedInRoute(cardAnswerSchema, {
            tags: ["cards"],
            summary: `Look up one ${company} certificate ${summary}`,
            params: z.object({ cert: z.string() }),
            querystring: cardQuerySchema,
            options: { onRequest: [signedIn, refuseCrossSite], config: { isLong: true } },
          }),
          async (request, reply): Promise<z.input<typeof cardAnswerSchema>> => {
            const certNumber = readNumber(company, request.params.cert);
            const { forceRefresh } = request.query;
            const waiting = { onWait: () => request.releasePlace?.(), givenUp: leftSignal(reply) };
            const userId = viewerOf(request).id;
            const answer = await certs.lookUp({ userId, company, certNumber, mode, forceRefresh, ...waiting });
            if (answer.code !== "found") throw errorOf(answer, now());
            return { ...answer.card, source: answer.source, notes: answer.notes };
          },
        );
      }
    }
  };
}
