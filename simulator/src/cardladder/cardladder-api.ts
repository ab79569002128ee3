import type { FastifyInstance, FastifyRequest } from "fastify";
import recordedQuota from "../recorded/cardladder-quota.json" with { type: "json" };
import { jsonAnswer, retryAfter, tear, type Answer } from "../endpoints/answer.ts";
import { answerCall, neighborOf, refuseCall, type House, type Voice } from "../endpoints/endpoint.ts";
import { answerCard, answerEstimate, answerSales, type CallData, type Functions } from "./cardladder-functions.ts";
import type { Logins } from "./logins.ts";
import { slabOfProfile } from "./profile-id.ts";

/** A CardLadder function. An undefined `result` means that the call lacks a required field. */
type CallableFunction = {
  name: string;
  certIn: (data: CallData) => string;
  result: (data: CallData, functions: Functions) => object | null | undefined;
  /** True if the response contains the cert. */
  namesCert: boolean;
};

const certIn = (data: CallData): string => textIn(data, "cert");

const FUNCTIONS: readonly CallableFunction[] = [
  { name: "httpbuildcollectioncard", certIn, result: answerCard, namesCert: true },
  {
    name: "httpcardestimate",
    certIn: (data) => slabOfProfile(textIn(data, "profileId"))?.certNumber ?? "",
    result: answerEstimate,
    namesCert: false,
  },
  { name: "httpprofilesales", certIn, result: answerSales, namesCert: false },
];

/**
 * CardLadder's callable functions. The request is `{data}`, the response `{result}` or `{error}`. Most errors have
 * status 200.
 */
export function addCardladderApi(app: FastifyInstance, house: House, logins: Logins): void {
  for (const callable of FUNCTIONS) {
    app.post(`/cardladder-api/${callable.name}`, async (request, reply) => {
      const data = dataOf(request);
      const certNumber = callable.certIn(data);
      if (!logins.accepts(request.headers.authorization)) {
        const refusal = { fault: "refused", answer: unauthenticated() } as const;
        await refuseCall(house, { endpoint: "cardladder", cert: certNumber || null, ...refusal }, request, reply);
        return reply;
      }
      const voice = voiceOf(house, callable, data);
      await answerCall(house, { endpoint: "cardladder", part: "cardladder", certNumber, voice }, request, reply);
      return reply;
    });
  }
}

function dataOf({ body }: FastifyRequest): CallData {
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : null;
  return typeof data === "object" && data !== null ? Object.fromEntries(Object.entries(data)) : {};
}

function textIn(data: CallData, name: string): string {
  const value = data[name];
  return typeof value === "string" ? value : "";
}

/** A longer Retry-After means the daily quota, which uses the recorded text. */
const BRIEF_S = 60;

function voiceOf(house: House, callable: CallableFunction, data: CallData): Voice {
  const answer = (asked: CallData): Answer => {
    const { cardladder, marketFactor: factor } = house.behavior;
    const result = callable.result(asked, { ...cardladder, factor });
    return result === undefined
      ? failure(200, "INVALID_ARGUMENT", "Missing request data")
      : jsonAnswer(200, { result });
  };
  const found = (): Answer => answer(data);
  return {
    found,
    notFound: () => jsonAnswer(200, { result: null }),
    quota: (retryAfterS) =>
      retryAfterS !== null && retryAfterS <= BRIEF_S
        ? { ...failure(429, "RESOURCE_EXHAUSTED", "Too Many Requests"), headers: retryAfter(retryAfterS) }
        : jsonAnswer(200, recordedQuota),
    torn: () => tear(found()),
    refused: unauthenticated,
    serverError: () => failure(500, "INTERNAL", "INTERNAL"),
    noData: () => jsonAnswer(200, { result: null }),
    emptyRecord: () => jsonAnswer(200, { result: {} }),
    otherCert: () => (callable.namesCert ? answer({ ...data, cert: neighborOf(certIn(data)) }) : found()),
  };
}

function failure(httpStatus: number, status: string, message: string): Answer {
  return jsonAnswer(httpStatus, { error: { message, status } });
}

function unauthenticated(): Answer {
  return failure(401, "UNAUTHENTICATED", "Unauthenticated");
}
