import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { jsonAnswer, retryAfter, tear, type Answer } from "../endpoints/answer.ts";
import { answerCall, magicFault, neighborOf, refuseCall, type House, type Voice } from "../endpoints/endpoint.ts";
import type { Fault } from "../endpoints/faults.ts";
import { findMagic } from "../endpoints/magic.ts";
import { cardsiqResult, failedLookup, type Asked } from "./cardsiq-result.ts";

/** The only valid key. */
export const CARDSIQ_API_KEY = "simulator-cardsiq-key";

/** The maximum number of certs per call. The real limit is unknown. */
const BATCH_LIMIT = 100;

/** CardsIQ's batch price API. */
export function addCardsiqApi(app: FastifyInstance, house: House): void {
  app.post("/cardsiq-api/api/price-batch", async (request, reply) => {
    const batch = readBatch(request.body);
    const certs = batch?.map(({ cert }) => cert) ?? [];
    const refuse = async (fault: Fault, answer: Answer): Promise<FastifyReply> => {
      await refuseCall(house, { endpoint: "cardsiq", cert: null, certs, fault, answer }, request, reply);
      return reply;
    };
    if (!hasKey(request)) return refuse("refused", unauthorized());
    if (!batch) return refuse("refused", badRequest("Body must be an array of {cert, grader}"));
    if (batch.length > BATCH_LIMIT) return refuse("refused", badRequest(`At most ${BATCH_LIMIT} certs per request`));
    const certNumber = certs.find(breaksWholeCall) ?? "";
    const voice = voiceOf(house, batch);
    await answerCall(house, { endpoint: "cardsiq", part: "cardsiq", certNumber, certs, voice }, request, reply);
    return reply;
  });
}

function hasKey(request: FastifyRequest): boolean {
  return request.headers.authorization === `Bearer ${CARDSIQ_API_KEY}`;
}

function readBatch(body: unknown): Asked[] | null {
  if (!Array.isArray(body)) return null;
  const asked = body.map((entry: unknown): Asked | null => {
    if (typeof entry !== "object" || entry === null || !("cert" in entry) || !("grader" in entry)) return null;
    const { cert, grader } = entry;
    return typeof cert === "string" && typeof grader === "string" ? { cert, grader } : null;
  });
  const complete = asked.filter((entry) => entry !== null);
  return complete.length === asked.length ? complete : null;
}

/** A failed lookup affects only its own result. All other faults affect the whole call. */
function breaksWholeCall(cert: string): boolean {
  const fault = findMagic(cert)?.faults.cardsiq;
  return fault !== undefined && fault !== "lookup_error";
}

function voiceOf(house: House, batch: readonly Asked[]): Voice {
  const answer = (asked: readonly Asked[], entryOf: (one: Asked) => object): Answer =>
    jsonAnswer(200, { results: asked.map(entryOf) });
  const resultOf = (asked: Asked): object => cardsiqResult(asked, house.behavior.marketFactor);
  const found = (): Answer =>
    answer(batch, (asked) => {
      const fault = magicFault(house, { endpoint: "cardsiq", part: "cardsiq", certNumber: asked.cert });
      return fault === "lookup_error" ? failedLookup(asked) : resultOf(asked);
    });
  return {
    found,
    notFound: () => answer(batch, (asked) => ({ ...asked, data: null })),
    quota: (retryAfterS) => jsonAnswer(429, { error: "Rate limit exceeded" }, retryAfter(retryAfterS)),
    torn: () => tear(found()),
    refused: unauthorized,
    noData: () => jsonAnswer(200, { results: [] }),
    emptyRecord: () => answer(batch, (asked) => ({ ...asked, data: {} })),
    otherCert: () =>
      answer(
        batch.map(({ cert, grader }) => ({ cert: neighborOf(cert), grader })),
        resultOf,
      ),
    lookupError: () => answer(batch, failedLookup),
  };
}

const unauthorized = (): Answer => jsonAnswer(401, { error: "Unauthorized" });

const badRequest = (error: string): Answer => jsonAnswer(400, { error });
