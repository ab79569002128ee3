import { z } from "zod";
import type { Card } from "@slabdesk/contract/api/cards.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import type { UpstreamAnswer } from "../../upstreams/endpoint.ts";
import { quotaGoneMessage } from "../../upstreams/breaker-rules.ts";
import { LONGEST_LIST, NO_IMAGES, populationOf, readImageUrl, readText, type Images, type Text } from "../card-text.ts";
import * as grader from "../grader.ts";
import * as answers from "../upstream-answers.ts";
import { AUTOGRAPH_NOTE, autographSchema, mapPsaAutograph, mapPsaCard, type PsaAutograph } from "./map.ts";

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
  TotalPopulation: z.unknown().optional(),
  TotalPopulationWithQualifier: z.unknown().optional(),
  PopulationHigher: z.unknown().optional(),
});
const envelopeSchema = z.looseObject({
  PSACert: certSchema.nullish(),
  DNACert: autographSchema.nullish().catch(null),
  IsValidRequest: z.boolean().nullish(),
  ServerMessage: z.string().nullish(),
});
type PsaCert = z.output<typeof certSchema>;
/** A record with its number: a card, or an autograph that is no card. */
type PsaRecord = { cert: PsaCert } | { autograph: PsaAutograph };
type Envelope = z.output<typeof envelopeSchema>;

const TEST_CERT = "98174651";

/** Looks up a certificate in PSA's API, then its images. With only one call of the daily quota, it has none yet. */
export function createPsaApi({ endpoint, settings, now }: grader.ClientParts<"PSA_API_URL" | "PSA_API_TOKEN">) {
  async function call(method: string, certNumber: string): Promise<UpstreamAnswer> {
    // Read for each call, because an administrator may enter another token.
    const token = bareToken(settings.PSA_API_TOKEN);
    const url = `${settings.PSA_API_URL}/cert/${method}/${encodeURIComponent(certNumber)}`;
    return answers.withoutSecret(await endpoint({ url, headers: { authorization: `Bearer ${token}` } }), token);
  }

  async function readCert(certNumber: string): Promise<grader.Reading<PsaRecord>> {
    const answer = await call("GetByCertNumber", certNumber);
    if (answer.kind !== "answered") return { ok: false, outcome: answers.noAnswer(PSA_API, answer) };
    if (answer.status !== 200) return { ok: false, outcome: refusalOf(answer, certNumber, now()) };
    const json = answers.readJson(PSA_API, answer, z.union([z.string(), envelopeSchema]));
    if (!json.ok) return json;
    if (typeof json.value !== "string") return readEnvelope(json.value, certNumber, answer);
    if (NOT_FOUND_MESSAGE.test(json.value)) return { ok: false, outcome: answers.noSuchCert("PSA", certNumber) };
    return { ok: false, outcome: answers.notUnderstood(PSA_API, answer, json.value) };
  }

  async function imagesOf(certNumber: string): Promise<grader.ImagesOutcome> {
    const answer = await call("GetImagesByCertNumber", certNumber);
    const { images, note } = readPsaImages(answer);
    if (note === null) return { code: "found", images };
    if (answer.kind !== "answered") return { ...answers.noAnswer(PSA_API, answer), note };
    return { ...refusalOf(answer, certNumber, now()), note };
  }

  const viaApi: grader.LookUp = async (certNumber, calls = 2) => {
    if (bareToken(settings.PSA_API_TOKEN) === "") return answers.notConfigured("PSA", "PSA_API_TOKEN");
    const reading = await readCert(certNumber);
    if (!reading.ok) return reading.outcome;
    const { cardWith, note } = readCard(reading.value, certNumber, now());
    const found = (images: Images, imagesNote: Text): grader.Found => ({
      code: "found",
      source: "api",
      card: cardWith(images),
      notes: [note, imagesNote].filter((message) => message !== null).join(". "),
      complete: imagesNote === null,
    });
    if (calls < 2) return { ...found(NO_IMAGES, IMAGES_LATER), imagesDue: { failures: 0 } };
    const outcome = await imagesOf(certNumber);
    if (outcome.code === "found") return found(outcome.images, null);
    if (outcome.code !== "quota_exhausted") return { ...found(NO_IMAGES, outcome.note), imagesDue: { failures: 1 } };
    const { note: _note, ...quotaGone } = outcome;
    return { ...found(NO_IMAGES, IMAGES_LATER), imagesDue: { failures: 0 }, quotaGone };
  };

  /** Tests the token with one call, which counts against the quota. It asks for the record of a card without images. */
  async function tryCredentials(): Promise<grader.CredentialProblem> {
    const reading = await readCert(TEST_CERT);
    return reading.ok ? null : grader.problemOf(reading.outcome);
  }
  return { viaApi, imagesOf, tryCredentials };
}

const IMAGES_LATER = "The images are fetched later: PSA's API calls are used for certificates first";

/** Strips pasted white space and a leading "Bearer", which break PSA's check (README.md). */
const bareToken = (setting = ""): string => setting.replace(/^\s*bearer\s+/i, "").replace(/\s+/g, "");

function refusalOf(answer: answers.Answered, certNumber: string, now: Date): grader.Refused {
  if (answer.status === 204) return answers.noSuchCert("PSA", certNumber);
  if (answer.status === 429 && !answers.isBotWall(answer)) return quotaExhausted(answer, now);
  if (isNotApproved(answer))
    return { code: "forbidden", message: NOT_APPROVED, cause: answers.answerAsCause(answer), needsAdministrator: true };
  if (answer.status !== 500 || answers.isBotWall(answer)) return answers.apiRefusal(PSA_API, certNumber, answer);
  const message = "PSA's API is not working at the moment (500). PSA also responds this way to an invalid API token";
  return answers.unavailable(message, answers.answerAsCause(answer));
}

const NOT_APPROVED =
  "PSA recognizes our API token, but has not approved our account (403). Ask collectors-apis@collectors.com for access";

/** PSA recognized the token: it answers a made-up one differently. */
function isNotApproved(answer: answers.Answered): boolean {
  return answer.status === 403 && !answers.isBotWall(answer) && /\bapproved customers\b/i.test(answer.text);
}

/** PSA's text for an unknown certificate, as a bare JSON string or as `ServerMessage`. */
const NOT_FOUND_MESSAGE = /\bnot found\b|\bno data found\b/i;
const INVALID_NUMBER_MESSAGE = /\binvalid cert/i;

function readEnvelope(envelope: Envelope, certNumber: string, answer: answers.Answered): grader.Reading<PsaRecord> {
  const { PSACert: cert, DNACert: autograph, IsValidRequest: isValid, ServerMessage: cause } = envelope;
  const failed = (outcome: grader.NotFound): grader.Reading<PsaRecord> => ({ ok: false, outcome });
  if (isValid === false) {
    if (!INVALID_NUMBER_MESSAGE.test(cause ?? "")) return failed(answers.notUnderstood(PSA_API, answer, cause));
    return failed({ code: "invalid_number", message: `PSA says ${certNumber} is not a cert number`, cause });
  }
  const record = recordIn(cert, autograph);
  if (!record) {
    const keys = Object.keys(envelope);
    const isPsaShape = keys.length === 0 || keys.some((key) => Object.hasOwn(envelopeSchema.shape, key));
    if (!isPsaShape) return failed(answers.notUnderstood(PSA_API, answer, null));
    return failed(answers.noSuchCert("PSA", certNumber, answers.answerAsCause(answer)));
  }
  const answered = readText(("cert" in record ? record.cert : record.autograph).CertNumber);
  if (answered === null) return failed(answers.notUnderstood(PSA_API, answer, null));
  if (answered !== certNumber) return failed(answers.otherCert("PSA", certNumber, answered));
  return { ok: true, value: record };
}

function recordIn(cert: Envelope["PSACert"], autograph: Envelope["DNACert"]): PsaRecord | null {
  if (cert && !isEmpty(cert)) return { cert };
  return autograph && !isEmpty(autograph) ? { autograph } : null;
}

/** `{}`, or all values empty, as PSA returns for a certificate it doesn't have. */
function isEmpty(cert: object): boolean {
  return Object.values(cert).every((value) => [null, undefined, "", 0, false].some((empty) => empty === value));
}

/** A larger number is not an account's limit and is ignored. So is 0, which means an account without any calls. */
const MOST_CALLS_A_DAY = 10_000_000;

/** PSA states the limit only in the text. */
function quotaExhausted(answer: answers.Answered, now: Date): grader.QuotaExhausted {
  const [, count, unit] = /admitted (\d+) per (\w+)/i.exec(answer.text) ?? [];
  const perDay = unit?.toLowerCase() === "day" ? Number(count) : 0;
  const limit = perDay >= 1 && perDay <= MOST_CALLS_A_DAY ? perDay : null;
  const message = limit === null ? "PSA's API call limit is used up" : quotaGoneMessage(limit);
  return { code: "quota_exhausted", message, until: answers.retryAfter(answer, now), limit };
}

function readCard(record: PsaRecord, certNumber: string, now: Date) {
  if ("autograph" in record) {
    const cardWith = (images: Images): Card => mapPsaAutograph(certNumber, record.autograph, images);
    return { cardWith, note: AUTOGRAPH_NOTE };
  }
  const { cert } = record;
  const { grade, note } = gradeOf(cert);
  const facts = {
    year: readText(cert.Year),
    brand: readText(cert.Brand),
    cardNumber: readText(cert.CardNumber),
    subject: readText(cert.Subject),
    variety: readText(cert.Variety),
    category: readText(cert.Category),
    grade,
  };
  // PSA counts cards with a qualifier separately.
  const atGrade = QUALIFIER.test(grade ?? "") ? cert.TotalPopulationWithQualifier : cert.TotalPopulation;
  const population = populationOf({ atGrade, higher: cert.PopulationHigher }, now);
  const cardWith = (images: Images): Card => ({ ...mapPsaCard(certNumber, facts, images), ...population });
  return { cardWith, note };
}

/** A qualifier behind a grade, such as "NM-MT 8 (OC)": off center, stain, print defect, out of focus, marks, miscut. */
const QUALIFIER = /\b(?:OC|ST|PD|OF|MK|MC)\)?$/i;

/** The grade as printed. If only the autograph was graded, a numeric grade goes into the notes: it isn't the card's. */
function gradeOf(cert: PsaCert): { grade: Text; note: Text } {
  const grade = readText(cert.CardGrade) ?? readText(cert.GradeDescription);
  const autograph = readText(cert.AutographGrade);
  if (grade !== null || autograph === null) return { grade, note: null };
  if (parseNumericGrade(autograph) === null) return { grade: autograph, note: null };
  return { grade: null, note: `Only the autograph is graded: ${autograph}` };
}

/** If PSA may have images that could not be read, `note` tells staff why; else it is null. */
type PsaImages = { images: Images; note: Text };

const flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);
const imageSchema = z.object({ IsFrontImage: flag, ImageURL: z.string().nullish() });

const NONE: PsaImages = { images: NO_IMAGES, note: null };

/**
 * The back often comes first. Cards graded before October 2021 have no images; the answer for them is not documented,
 * so an empty list, null, a bare string, 204 and 404 all count as none.
 */
function readPsaImages(answer: UpstreamAnswer): PsaImages {
  if (answer.kind !== "answered") return failed(FAILURE_MESSAGE[answer.kind]);
  const { status, text } = answer;
  if (answers.isBotWall(answer)) return failed("PSA blocked us (bot protection)");
  if (status === 204 || status === 404) return NONE;
  if (status === 429) return failed("PSA's API call limit is used up");
  if (status !== 200) return failed(`PSA returned ${status}`);
  const json = answers.parseJson(text);
  if (!json.ok) return failed("PSA returned an unexpected response");
  if (json.value === null || typeof json.value === "string") return NONE;
  if (Array.isArray(json.value)) return readImageList(json.value.slice(0, LONGEST_LIST));
  // PSA's documented envelope, here without a list. "No data found" means no images; a refusal is a failure.
  const isNoData = z.object({ IsValidRequest: z.literal(true) }).safeParse(json.value).success;
  return isNoData ? NONE : failed("PSA returned an unexpected response");
}

function readImageList(list: unknown[]): PsaImages {
  if (list.length === 0) return NONE;
  const listed = list.flatMap((item) => imageSchema.safeParse(item).data ?? []);
  if (listed.length === list.length && listed.every((image) => !image.ImageURL)) return NONE;
  const sideOf = (isFront: boolean): Text => {
    const sides = listed.filter((image) => image.IsFrontImage === isFront);
    return sides.map((image) => readImageUrl(image.ImageURL)).find((url) => url !== null) ?? null;
  };
  const images = { front: sideOf(true), back: sideOf(false) };
  const isReadable = images.front !== null || images.back !== null;
  return isReadable ? { images, note: null } : failed("PSA returned an unexpected response");
}

const FAILURE_MESSAGE = {
  timed_out: "PSA did not respond in time",
  too_large: "PSA returned an unexpected response",
  redirected: "PSA redirected us to another address",
  network_error: "PSA could not be reached",
} as const;

function failed(reason: string): PsaImages {
  return { images: NO_IMAGES, note: `The images could not be fetched: ${reason}` };
}
