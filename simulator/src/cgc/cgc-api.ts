import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { jsonAnswer, retryAfter, tear, textAnswer, type Answer } from "../endpoints/answer.ts";
import { answerCall, refuseCall, send, waitLatency, type House, type Voice } from "../endpoints/endpoint.ts";
import type { Fault } from "../endpoints/faults.ts";
import { findCgcCard } from "./cgc-cards.ts";
import { flatBody, nestedBody } from "./cgc-lookup-body.ts";

/** The only dealer account. */
export const CGC_API_USERNAME = "dealer@simulator.invalid";
export const CGC_API_PASSWORD = "simulator-dealer-password";

type Lookup = { Params: { version: string; certNumber: string }; Querystring: { include?: string } };

/**
 * CCG's dealer API: a login that returns a bare token, and the lookups v3 and v2. No real body is recorded, only its
 * two typed shapes.
 */
export function addCgcApi(app: FastifyInstance, house: House): void {
  const logins = new Logins(house);
  app.post("/cgc-api/auth/login/CGC", async (request, reply) => {
    const token = logins.open(request.body);
    if (token === null) {
      await refuseCall(house, { endpoint: "cgc-api", cert: null, ...unauthorized() }, request, reply);
      return reply;
    }
    house.calls.add({
      endpoint: "cgc-api",
      method: request.method,
      path: request.url,
      cert: null,
      at: Date.now(),
      fault: null,
    });
    await waitLatency(house);
    send(reply, textAnswer(200, token));
    return reply;
  });
  app.get<Lookup>("/cgc-api/cards/certifications/:version(^v[23]$)/lookup/:certNumber", async (request, reply) => {
    const { version, certNumber } = request.params;
    if (!logins.accepts(request)) {
      await refuseCall(house, { endpoint: "cgc-api", cert: certNumber, ...unauthorized() }, request, reply);
      return reply;
    }
    // v2 always includes the images.
    const include = version === "v2" ? ["images"] : (request.query.include ?? "").split(",");
    const voice = lookupVoice(house, include, version === "v2" || !house.behavior.cgc.hasOnlyV2);
    await answerCall(house, { endpoint: "cgc-api", part: "api", certNumber, voice }, request, reply);
    return reply;
  });
}

/** Tokens look like JWTs, as in the real API. All tokens expire at the start of a new day. */
class Logins {
  #day = 0;

  constructor(house: House) {
    house.behavior.onRenewDay(() => {
      this.#day += 1;
    });
  }

  /** Returns a token if the name and password are correct, else null. */
  open(body: unknown): string | null {
    const isRight =
      typeof body === "object" &&
      body !== null &&
      "Username" in body &&
      body.Username === CGC_API_USERNAME &&
      "Password" in body &&
      body.Password === CGC_API_PASSWORD;
    return isRight ? this.#token() : null;
  }

  accepts(request: FastifyRequest): boolean {
    return request.headers.authorization === `Bearer ${this.#token()}`;
  }

  #token(): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: CGC_API_USERNAME, company: "CGC", day: this.#day })}`;
    return `${claims}.${createHash("sha256").update(claims).digest("base64url")}`;
  }
}

function lookupVoice(house: House, include: readonly string[], hasCards: boolean): Voice {
  const found = (certNumber: string): Answer => {
    const card = hasCards ? findCgcCard(certNumber) : null;
    if (!card) return problem(404, "Not Found");
    const body = nestedBody(house.origin, card, include);
    return jsonAnswer(200, house.behavior.cgc.isFlat ? flatBody(body) : body);
  };
  return {
    found,
    notFound: () => problem(404, "Not Found"),
    quota: (retryAfterS) => ({ ...problem(429, "Too Many Requests"), headers: retryAfter(retryAfterS) }),
    torn: (certNumber) => tear(found(certNumber)),
    refused: () => problem(403, "Forbidden or wrong company scope"),
    serverError: () => problem(500, "An error occurred while processing your request."),
    noData: () => jsonAnswer(200, null),
    emptyRecord: () => jsonAnswer(200, {}),
  };
}

function unauthorized(): { fault: Fault; answer: Answer } {
  return { fault: "refused", answer: problem(401, "Unauthorized") };
}

function problem(status: number, title: string): Answer {
  return jsonAnswer(status, { title, status });
}
