import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { jsonAnswer, retryAfter, tear, textAnswer, type Answer } from "../endpoints/answer.ts";
import { answerCall, refuseCall, send, waitLatency, type House, type Voice } from "../endpoints/endpoint.ts";
import type { Fault } from "../endpoints/faults.ts";
import { findMagic } from "../endpoints/magic.ts";
import { seeded } from "../made-up/seeded.ts";
import { cgcField, isSportsCard, type CgcCard } from "./cgc-card.ts";
import { findCgcCard } from "./cgc-cards.ts";

/** The only dealer account. */
export const CGC_API_USERNAME = "dealer@simulator.invalid";
export const CGC_API_PASSWORD = "simulator-dealer-password";

type Lookup = { Params: { certNumber: string }; Querystring: { include?: string } };

/**
 * CCG's dealer API: a login that returns a bare token, and the v3 look-up. No real body is recorded, only its typed
 * shape.
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
  app.get<Lookup>("/cgc-api/cards/certifications/v3/lookup/:certNumber", async (request, reply) => {
    const { certNumber } = request.params;
    if (!logins.accepts(request)) {
      await refuseCall(house, { endpoint: "cgc-api", cert: certNumber, ...unauthorized() }, request, reply);
      return reply;
    }
    const include = (request.query.include ?? "").split(",");
    await answerCall(
      house,
      { endpoint: "cgc-api", part: "api", certNumber, voice: lookupVoice(house, include) },
      request,
      reply,
    );
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

function lookupVoice(house: House, include: readonly string[]): Voice {
  const found = (certNumber: string): Answer => {
    const card = findCgcCard(certNumber);
    return card ? jsonAnswer(200, lookupBody(house.origin, card, include)) : problem(404, "Not Found");
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

/** Includes population and pictures only if the request names them. */
function lookupBody(origin: string, card: CgcCard, include: readonly string[]): object {
  const random = seeded(`CGC dealer ${card.certNumber}`);
  const notes = cgcField(card, "Grader Notes");
  return {
    certNumber: card.certNumber,
    grade: { displayGrade: cgcField(card, "Grade") },
    collectible: collectibleOf(card),
    ...(notes === "" ? {} : { graderNotes: [notes] }),
    ...(include.includes("pop") ? populationOf(card) : {}),
    ...(include.includes("images") ? { images: imagesOf(origin, card) } : {}),
    metadata: {
      encapsulationDate: cgcField(card, "Grade Date"),
      gradedDate: cgcField(card, "Grade Date"),
      submissionNumber: card.certNumber.slice(0, -3),
      barcode: `${card.certNumber}${random.int(10, 99)}`,
    },
  };
}

/** Clients read it in either of two shapes. */
function populationOf({ certNumber, population }: CgcCard): object {
  if (!population) return {};
  const { atGrade, higher } = population;
  return findMagic(certNumber)?.variant === "other_population"
    ? { populationReport: { sameGrade: atGrade, higherGrades: higher, totalGraded: atGrade + higher } }
    : { population: { populationAtGrade: atGrade } };
}

function collectibleOf(card: CgcCard): object {
  const orNull = (label: string): string | null => cgcField(card, label) || null;
  const isSports = isSportsCard(card);
  const variant1 = cgcField(card, "Variant 1");
  const variant2 = cgcField(card, "Variant 2");
  return {
    collectibleType: "Card",
    collectibleSubtype: isSports ? "Sports" : "TCG",
    cardName: orNull(isSports ? "Player Name" : "Card Name"),
    cardNumber: orNull("Card Number"),
    cardYear: orNull("Year"),
    game: orNull("Game"),
    seriesName: null,
    setName: orNull("Card Set"),
    subsetName: null,
    makerName: orNull("Manufacturer"),
    language: orNull("Language"),
    rarity: null,
    ...(variant1 === "" ? {} : { variant1 }),
    ...(variant2 === "" ? {} : { variant2 }),
    isParallel: variant1 !== "" && isSports,
  };
}

function imagesOf(origin: string, card: CgcCard): object {
  const url = (label: "Obverse" | "Reverse", thumbnail: boolean): string | null => {
    const path = card.scans.find((scan) => scan.label === label)?.path;
    return path === undefined ? null : `${origin}/cgc-images${thumbnail ? thumbnailPath(path) : path}`;
  };
  return {
    frontUrl: url("Obverse", false),
    frontThumbnailUrl: url("Obverse", true),
    rearUrl: url("Reverse", false),
    rearThumbnailUrl: url("Reverse", true),
  };
}

/** The small version of ".../CAR6016747-097_OBV.jpg" is ".../TN_CAR6016747-097_OBV.jpg". */
export function thumbnailPath(path: string): string {
  return path.replace(/\/([^/]+)$/, "/TN_$1");
}

function unauthorized(): { fault: Fault; answer: Answer } {
  return { fault: "refused", answer: problem(401, "Unauthorized") };
}

function problem(status: number, title: string): Answer {
  return jsonAnswer(status, { title, status });
}
