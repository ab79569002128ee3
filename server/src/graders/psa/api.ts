import { z } from "zod";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import type { Config } from "../../config.ts";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { readText } from "../card-text.ts";
import type { Text } from "../card-text.ts";
import type { Found, NotFound, Outcome, QuotaExhausted } from "../grader.ts";
import {
  answerAsCause,
  apiRefusal,
  isBotWall,
  isWebPage,
  blocked,
  noAnswer,
  noSuchCert,
  otherCert,
  parseJson,
  retryAfter,
  unavailable,
  withoutSecret,
} from "../upstream-answers.ts";
import type { Answered } from "../upstream-answers.ts";
import { readPsaPictures } from "./api-pictures.ts";
import { mapPsaCard } from "./map.ts";

export type PsaApiParts = {
  endpoint: Endpoint;
  settings: Pick<Config, "PSA_API_URL" | "PSA_API_TOKEN">;
  now: () => Date;
};

const PSA_API = { company: "PSA", part: "API" } as const;

const text = z.union([z.string(), z.number()]).nullish();
const certSchema = z.looseObject({
  CertNumber: text,
  Year: text,
  Brand: text,
  Category: text,
  CardNumber: text,
  Subject: text,
  Variety: text,
  CardGrade: text,
  GradeDescription: text,
  AutographGrade: text,
});
const envelopeSchema = z.looseObject({
  PSACert: certSchema.nullish(),
  DNACert: z.unknown().optional(),
  IsValidRequest: z.boolean().nullish(),
  ServerMessage: z.string().nullish(),
});
type PsaCert = z.output<typeof certSchema>;

/** Looks up a certificate in PSA's API, then its pictures if it exists. Each card uses two calls of the daily quota. */
export function createPsaApi({ endpoint, settings, now }: PsaApiParts): (certNumber: string) => Promise<Outcome> {
  const token = bareToken(settings.PSA_API_TOKEN ?? "");
  const call = async (method: string, certNumber: string) => {
    const url = `${settings.PSA_API_URL}/cert/${method}/${encodeURIComponent(certNumber)}`;
    return withoutSecret(await endpoint({ url, headers: { authorization: `Bearer ${token}` } }), token);
  };

  return async (certNumber) => {
    if (token === "") {
      return {
        code: "not_configured",
        message: "PSA API credentials not configured: an administrator must set PSA_API_TOKEN",
      };
    }
    const answer = await call("GetByCertNumber", certNumber);
    if (answer.kind !== "answered") return noAnswer(PSA_API, answer);
    const reading = readPsaCert(answer, certNumber, now());
    if (!reading.ok) return reading.outcome;

    const picturesAnswer = await call("GetImagesByCertNumber", certNumber);
    const pictures = readPsaPictures(picturesAnswer);
    const { grade, note } = gradeOf(reading.cert);
    const card = mapPsaCard(certNumber, { ...factsOf(reading.cert), grade }, pictures.pictures);
    const notes = [note, pictures.note].filter((message) => message !== null).join(". ");
    const found: Found = { code: "found", source: "api", card, notes, complete: pictures.complete };
    const isRefused = picturesAnswer.kind === "answered" && isQuotaRefusal(picturesAnswer);
    return isRefused ? { ...found, quotaGone: quotaExhausted(picturesAnswer, now()) } : found;
  };
}

/** Strips pasted white space and a leading "Bearer", which break PSA's check (README.md). */
function bareToken(setting: string): string {
  return setting.replace(/^\s*bearer\s+/i, "").replace(/\s+/g, "");
}

type CertReading = { ok: true; cert: PsaCert } | { ok: false; outcome: NotFound | QuotaExhausted };

function readPsaCert(answer: Answered, certNumber: string, now: Date): CertReading {
  const failed = (outcome: NotFound | QuotaExhausted): CertReading => ({ ok: false, outcome });
  if (answer.status === 204) return failed(noSuchCert("PSA", certNumber));
  if (isQuotaRefusal(answer)) return failed(quotaExhausted(answer, now));
  if (answer.status === 500 && !isBotWall(answer)) return failed(internalError(answer));
  if (answer.status !== 200) return failed(apiRefusal(PSA_API, certNumber, answer));

  const json = parseJson(answer.text);
  if (!json.ok) return failed(isBotWall(answer) ? blocked(PSA_API, answer) : notUnderstood(answer, json.cause));
  if (typeof json.value === "string" && NOT_FOUND_MESSAGE.test(json.value))
    return failed(noSuchCert("PSA", certNumber));
  const envelope = envelopeSchema.safeParse(json.value);
  if (!envelope.success) return failed(notUnderstood(answer, envelope.error));
  return readEnvelope(envelope.data, certNumber, answer);
}

/** PSA's text for an unknown certificate, as a bare JSON string or as `ServerMessage`. */
const NOT_FOUND_MESSAGE = /\bnot found\b|\bno data found\b/i;
const INVALID_NUMBER_MESSAGE = /\binvalid cert/i;

function readEnvelope(envelope: z.output<typeof envelopeSchema>, certNumber: string, answer: Answered): CertReading {
  const { PSACert: cert, IsValidRequest: isValid, ServerMessage: message } = envelope;
  if (isValid === false) {
    return INVALID_NUMBER_MESSAGE.test(message ?? "")
      ? {
          ok: false,
          outcome: {
            code: "invalid_number",
            message: `PSA says ${certNumber} is not a certificate number`,
            cause: message,
          },
        }
      : { ok: false, outcome: notUnderstood(answer, message) };
  }
  if (!cert || isEmpty(cert)) {
    const keys = Object.keys(envelope);
    const isPsaShape = keys.length === 0 || keys.some((key) => Object.hasOwn(envelopeSchema.shape, key));
    return {
      ok: false,
      outcome: isPsaShape ? noSuchCert("PSA", certNumber, answerAsCause(answer)) : notUnderstood(answer, null),
    };
  }
  const answered = readText(cert.CertNumber);
  if (answered === null) return { ok: false, outcome: notUnderstood(answer, null) };
  return answered === certNumber ? { ok: true, cert } : { ok: false, outcome: otherCert("PSA", certNumber, answered) };
}

/** `{}`, or all values empty, as PSA returns for a certificate it doesn't have. */
function isEmpty(cert: PsaCert): boolean {
  return Object.values(cert).every(
    (value) => value === null || value === undefined || value === "" || value === 0 || value === false,
  );
}

function notUnderstood(answer: Answered, cause: unknown): NotFound {
  const what = isWebPage(answer) ? "a web page" : "an unexpected response";
  return unavailable(`PSA's API returned ${what}`, answerAsCause(answer, cause));
}

function internalError(answer: Answered): NotFound {
  return unavailable(
    "PSA's API is not working at the moment (500). PSA also responds this way to an invalid API token",
    answerAsCause(answer),
  );
}

function isQuotaRefusal(answer: Answered): boolean {
  return answer.status === 429 && !isBotWall(answer);
}

/** A larger number is not an account's limit and is ignored. So is 0, which means an account without any calls. */
const MOST_CALLS_A_DAY = 10_000_000;

/** PSA states the limit only in the text. */
function quotaExhausted(answer: Answered, now: Date): QuotaExhausted {
  const [, count, unit] = /admitted (\d+) per (\w+)/i.exec(answer.text) ?? [];
  const perDay = unit?.toLowerCase() === "day" ? Number(count) : 0;
  const limit = perDay >= 1 && perDay <= MOST_CALLS_A_DAY ? perDay : null;
  return {
    code: "quota_exhausted",
    message:
      limit === null ? "PSA's API call limit is used up" : `PSA's limit of ${limit} API calls per day is used up`,
    until: retryAfter(answer, now),
    limit,
  };
}

function factsOf(cert: PsaCert) {
  return {
    year: readText(cert.Year),
    brand: readText(cert.Brand),
    cardNumber: readText(cert.CardNumber),
    subject: readText(cert.Subject),
    variety: readText(cert.Variety),
    category: readText(cert.Category),
  };
}

/**
 * The card's grade as printed. PSA repeats it in two fields, and either may be missing. If only the autograph was
 * graded, both are missing: the label then says "Authentic". A numeric autograph grade would look like the card's own
 * grade, so it goes into the notes instead.
 */
function gradeOf(cert: PsaCert): { grade: Text; note: Text } {
  const grade = readText(cert.CardGrade) ?? readText(cert.GradeDescription);
  const autograph = readText(cert.AutographGrade);
  if (grade !== null || autograph === null) return { grade, note: null };
  if (parseNumericGrade(autograph) === null) return { grade: autograph, note: null };
  return { grade: null, note: `Only the autograph is graded: ${autograph}` };
}
