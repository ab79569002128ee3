import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { cardAnswerSchema, cardQuerySchema, type Mode } from "@slabdesk/contract/api/cards.ts";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import { refuseCrossSite, signedIn, viewerOf } from "../../http/guards.ts";
import { leftSignal } from "../../http/concurrent-requests.ts";
import { HttpError } from "../../http/http-error.ts";
import { signedInRoute } from "../../http/route-schemas.ts";
import { isWaiting, type CardAnswer } from "./lookup.service.ts";
import type { CachedAnswer, CertsService } from "./certs.service.ts";

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
          {
            ...signedInRoute(cardAnswerSchema, {
              tags: ["cards"],
              summary: `Look up one ${company} certificate ${summary}`,
              params: z.object({ cert: z.string() }),
              querystring: cardQuerySchema,
            }),
            onRequest: [signedIn, refuseCrossSite],
          },
          async (request, reply) => {
            const certNumber = readNumber(company, request.params.cert);
            const { forceRefresh } = request.query;
            const givenUp = leftSignal(reply);
            const userId = viewerOf(request).id;
            return present(await certs.lookUp({ userId, company, certNumber, mode, forceRefresh, givenUp }), now());
          },
        );
      }
    }
  };
}

function readNumber(company: Company, text: string): string {
  const reading = parseCertNumber(company, text);
  if (!reading.ok) throw new HttpError(OUTCOMES.invalid_number.status, "invalid_number", reading.message);
  return reading.certNumber;
}

function present(answer: CardAnswer | CachedAnswer, now: Date): z.input<typeof cardAnswerSchema> {
  if (answer.code === "found") return { ...answer.card, source: answer.source, notes: answer.notes };
  const { status } = OUTCOMES[answer.code];
  if (isWaiting(answer)) {
    const headers: Record<string, string> = answer.until ? { "retry-after": secondsUntil(answer.until, now) } : {};
    throw new HttpError(status, answer.code, answer.message, { headers });
  }
  throw new HttpError(status, answer.code, answer.message, { cause: answer.cause });
}

function secondsUntil(time: Date, now: Date): string {
  return String(Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000)));
}
