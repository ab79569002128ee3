import type { FastifyInstance, FastifyRequest } from "fastify";
import { jsonAnswer, retryAfter, tear, type Answer } from "../endpoints/answer.ts";
import { browserRefused } from "../endpoints/cloudflare.ts";
import { answerCall, refuseCall, type House, type Voice } from "../endpoints/endpoint.ts";
import { findMagic } from "../endpoints/magic.ts";
import type { Fault } from "../endpoints/faults.ts";
import { findPsaCard } from "./psa-cards.ts";
import type { PsaCard, PsaCert } from "./psa-card.ts";
import { certXml, imagesXml } from "./psa-xml.ts";

/** The only valid token. Real tokens also have more than 200 characters. */
export const PSA_API_TOKEN = `simulator-${"psa-token-".repeat(20)}0`;

const DAY_S = 86_400;
/** As seen in the 429 response to a call without a token. */
const ANONYMOUS_QUOTA = 100;
const ANONYMOUS_RETRY_AFTER_S = 76216;
const PYTHON_DEFAULT_AGENT = /^(?:python-(?:requests|urllib)|aiohttp|python-httpx)\//i;

type Params = { Params: { certNumber: string } };

/** GetByCertNumber and GetImagesByCertNumber of api.psacard.com, with Cloudflare, token check and daily quota. */
export function addPsaApi(app: FastifyInstance, house: House): void {
  const quota = new DailyQuota(house);
  const route = (path: string, part: "api" | "images", voiceFor: (accept: string) => Voice): void => {
    app.get<Params>(`/psa-api/publicapi/cert/${path}/:certNumber`, async (request, reply) => {
      const { certNumber } = request.params;
      if (certNumber === "") return reply.code(204).send();
      const refusal = refuse(request, quota, house);
      if (refusal) await refuseCall(house, { endpoint: "psa-api", cert: certNumber, ...refusal }, request, reply);
      else
        await answerCall(
          house,
          { endpoint: "psa-api", part, certNumber, voice: voiceFor(request.headers.accept ?? "") },
          request,
          reply,
        );
      return reply;
    });
  };
  route("GetByCertNumber", "api", (accept) => certVoice(house, accept));
  route("GetImagesByCertNumber", "images", (accept) => imagesVoice(house, accept));
}

/** The window starts at the first call and lasts 24 hours. Rejected calls don't move it. */
class DailyQuota {
  readonly #house: House;
  #openedAt = 0;
  #used = 0;

  constructor(house: House) {
    this.#house = house;
    house.behavior.onRenewDay(() => {
      this.#openedAt = 0;
    });
  }

  /** Counts one call. Returns null, or the seconds until the next window if no calls remain. */
  spend(): number | null {
    const limit = this.#house.behavior.psaDailyQuota;
    if (limit === null) return null;
    if (Date.now() - this.#openedAt >= DAY_S * 1000) {
      this.#openedAt = Date.now();
      this.#used = 0;
    }
    if (this.#used >= limit) return DAY_S - Math.floor((Date.now() - this.#openedAt) / 1000);
    this.#used += 1;
    return null;
  }
}

/** Why a call is rejected before its cert is looked up. Null if it isn't rejected. */
function refuse(request: FastifyRequest, quota: DailyQuota, house: House): { fault: Fault; answer: Answer } | null {
  if (PYTHON_DEFAULT_AGENT.test(request.headers["user-agent"] ?? "")) {
    return { fault: "browser_refused", answer: browserRefused() };
  }
  const token = request.headers.authorization;
  if (token === undefined) return { fault: "quota", answer: quotaExceeded(ANONYMOUS_QUOTA, ANONYMOUS_RETRY_AFTER_S) };
  if (!/^bearer /i.test(token) || token.slice("bearer ".length) !== PSA_API_TOKEN) {
    return { fault: "refused", answer: tokenRefused() };
  }
  const waitS = quota.spend();
  if (waitS === null) return null;
  return { fault: "quota", answer: quotaExceeded(house.behavior.psaDailyQuota ?? ANONYMOUS_QUOTA, waitS) };
}

function quotaExceeded(limit: number, retryAfterS: number | null): Answer {
  return jsonAnswer(
    429,
    `API calls quota exceeded! maximum admitted ${limit} per Day. Please contact collectors-apis@collectors.com`,
    retryAfter(retryAfterS),
  );
}

function tokenRefused(): Answer {
  return jsonAnswer(401, { Message: "Authorization has been denied for this request." });
}

/** The responses that both calls share. */
function sharedVoice(house: House) {
  return {
    quota: (retryAfterS: number | null) => quotaExceeded(house.behavior.psaDailyQuota ?? ANONYMOUS_QUOTA, retryAfterS),
    refused: tokenRefused,
    notApproved: () => jsonAnswer(403, { Message: "Access to this API is limited to approved customers." }),
    serverError: () => jsonAnswer(500, { Message: "An error has occurred." }),
  };
}

const notFound = (): Answer => jsonAnswer(404, "Certificate Number Not Found");

function certVoice(house: House, accept: string): Voice {
  const found = (certNumber: string): Answer => {
    const card = findPsaCard(certNumber);
    if (!card) return notFound();
    return wantsXml(accept) ? xmlAnswer(certXml(card.cert)) : jsonAnswer(200, recordOf(card.cert));
  };
  return {
    ...sharedVoice(house),
    found,
    notFound,
    torn: (certNumber) => tear(found(certNumber)),
    noData: () => jsonAnswer(200, { IsValidRequest: true, ServerMessage: "No data found" }),
    invalidNumber: () => jsonAnswer(200, { IsValidRequest: false, ServerMessage: "Invalid CertNo" }),
    emptyRecord: () => jsonAnswer(200, { PSACert: {} }),
  };
}

/** The fields of the API's specification; no real `DNACert` is public. */
function recordOf(cert: PsaCert): object {
  if (findMagic(cert.CertNumber)?.variant !== "autograph") return { PSACert: cert };
  const [FirstName = "", ...rest] = cert.Subject.split(" ");
  return {
    DNACert: {
      CertNumber: cert.CertNumber,
      ItemDescription: `SIGNED BASEBALL ${cert.Subject}`,
      AuthenticationResult: "Authentic",
      SignatureGrade: "GEM MT 10",
      DNAItemType: "Baseball",
      PrimarySubjects: [{ FirstName, LastName: rest.join(" ") }],
    },
  };
}

function imagesVoice(house: House, accept: string): Voice {
  const found = (certNumber: string): Answer => {
    const card = findPsaCard(certNumber);
    if (!card) return notFound();
    const images = imageList(house.origin, card);
    return wantsXml(accept) ? xmlAnswer(imagesXml(images)) : jsonAnswer(200, images);
  };
  return {
    ...sharedVoice(house),
    found,
    notFound,
    torn: (certNumber) => tear(found(certNumber)),
    bareString: () => jsonAnswer(404, "No images found for this certificate"),
  };
}

/** Often lists the back first. Only the flag tells the sides apart. */
function imageList(origin: string, card: PsaCard): { IsFrontImage: boolean; ImageURL: string }[] {
  const images = card.scans.map((scan) => ({
    IsFrontImage: scan.isFront,
    ImageURL: `${origin}/psa-images/cert/${scan.imageId}/${scan.token}.jpg`,
  }));
  return card.backFirst ? images.toReversed() : images;
}

function wantsXml(accept: string): boolean {
  return /xml|text\/html/.test(accept) && !accept.includes("application/json");
}

function xmlAnswer(xml: string): Answer {
  return { status: 200, type: "application/xml; charset=utf-8", body: xml };
}
