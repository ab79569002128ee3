import type { z } from "zod";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import { isNestedTooDeep } from "../concurrency/nested-json.ts";
import type { UpstreamAnswer } from "../upstreams/endpoint.ts";
import type { NotFound, QuotaExhausted, Reading, Refused } from "./grader.ts";

export type Answered = Extract<UpstreamAnswer, { kind: "answered" }>;
export type Unanswered = Exclude<UpstreamAnswer, Answered>;

/** The endpoint of an answer, as staff know it: "PSA's API". */
export type Source = { company: string; part: "API" | "page" };

export function noAnswer({ company, part }: Source, answer: Unanswered): NotFound {
  const who = `${company}'s ${part}`;
  switch (answer.kind) {
    case "timed_out":
      return { code: "timeout", message: `Request timeout after ${answer.timeoutMs}ms`, cause: who };
    case "too_large":
      return unavailable(`${who} sent more than ${answer.limitBytes / 1e6} MB, the limit for one response`, answer);
    case "redirected":
      return unavailable(`${who} redirected us to another address, which is not followed`, answer);
    case "network_error":
      return unavailable(`${who} could not be reached`, answer.cause);
  }
}

/**
 * An API's refusal, by status. Callers handle 429 themselves, because each API has its own limit. A web page in place
 * of an API answer says nothing about the certificate, whatever its status.
 */
export function apiRefusal(source: Source, certNumber: string, answer: Answered): NotFound {
  const { company } = source;
  const { status } = answer;
  const cause = answerAsCause(answer);
  if (isBotWall(answer) || (status === 403 && isWebPage(answer))) return blocked(source, answer);
  if (status === 401 || status === 403) return forbidden(`${company} rejected our API credentials (${status})`, answer);
  if (status === 404 && !isWebPage(answer)) return noSuchCert(company, certNumber, cause);
  return unavailable(`${company}'s API is not working at the moment (${status})`, cause);
}

/** Reads JSON of the expected form. An error page with status 200 is common. */
export function readJson<T>(source: Source, answer: Answered, schema: z.ZodType<T>): Reading<T> {
  const json = parseJson(answer.text);
  if (!json.ok && isBotWall(answer)) return { ok: false, outcome: blocked(source, answer) };
  const parsed = json.ok ? schema.safeParse(json.value) : { success: false as const, error: json.cause };
  if (!parsed.success) return { ok: false, outcome: notUnderstood(source, answer, parsed.error) };
  return { ok: true, value: parsed.data };
}

export function notUnderstood({ company }: Source, answer: Answered, cause: unknown): NotFound {
  const what = isWebPage(answer) ? "a web page" : "an unexpected response";
  return unavailable(`${company}'s API returned ${what}`, answerAsCause(answer, cause));
}

const SHORT_WAIT_MS = 60_000;

/** The outcome of a 429 from an API that limits the rate, not the calls per day; null for other answers. */
export function rateRefusal(source: Source, answer: Answered, now: Date): QuotaExhausted | null {
  return answer.status === 429 && !isBotWall(answer) ? rateLimited(source, answer, now) : null;
}

export function rateLimited({ company }: Source, answer: Answered, now: Date): QuotaExhausted {
  const until = retryAfter(answer, now) ?? new Date(now.getTime() + SHORT_WAIT_MS);
  const message = `${company}'s API asked us to slow down (rate limit)`;
  return { code: "quota_exhausted", message, until, limit: null };
}

export function notConfigured(company: string, settings: string): NotFound {
  const message = `${company} API credentials not configured: an administrator must enter ${settings} in Admin → Sources`;
  return { code: "not_configured", message };
}

export function pageRefusal(source: Source, certNumber: string, answer: Answered, now: Date): Refused {
  const { company } = source;
  const until = answer.status === 429 ? retryAfter(answer, now) : null;
  const slowDown = `${company}'s website asked us to slow down`;
  if (until) return { code: "quota_exhausted", message: slowDown, until, limit: null };
  if (isBotWall(answer) || [401, 403, 429].includes(answer.status)) return blocked(source, answer);
  // A 404 of another page, after redirects, means nothing.
  const isOwnPage = new URL(answer.url).pathname.replaceAll("-", "").includes(certNumber);
  if (answer.status === 404 && isOwnPage) return noSuchCert(company, certNumber, answerAsCause(answer));
  return unavailable(`${company}'s page is not working at the moment (${answer.status})`, answerAsCause(answer));
}

export function noSuchCert(company: string, certNumber: string, cause?: unknown): NotFound {
  return { code: "not_found", message: `${company} has no certificate ${certNumber}`, cause };
}

export function blocked({ company, part }: Source, answer: Answered): NotFound {
  const message = `${company}'s ${part} blocked us (bot protection)`;
  return { code: "blocked", message, cause: answerAsCause(answer) };
}

export const unavailable = (message: string, cause: unknown): NotFound => ({ code: "unavailable", message, cause });

export function forbidden(message: string, answer: Answered): NotFound {
  return { code: "forbidden", message, cause: answerAsCause(answer) };
}

/** The outcome of an answer about another certificate than the requested one, whose card must never be shown. */
export function otherCert(company: string, certNumber: string, answered: string): NotFound {
  const cause = new Error(`Requested ${company} ${certNumber}, received ${cutText(answered, 100)}`);
  return unavailable(`${company} returned a different certificate than ${certNumber}`, cause);
}

const BOT_WALL_TEXTS = [
  /<title>\s*Just a moment/i,
  /Performing security verification/i,
  /Verifying you are human/i,
  /Checking your browser/i,
  /Enable JavaScript and cookies/i,
  // The same folder also serves a monitoring script that Cloudflare adds to pages it lets through.
  /challenge-platform(?!\/(?:h\/[a-z]+\/)?scripts\/jsd\/)/i,
  /\bcf-chl|_cf_chl_opt/i,
  /\/cdn-cgi\/challenge(?!-platform)/i,
  /challenges\.cloudflare\.com/i,
  /\berror(?: code)?:?(?:\s|<[^<>]{0,200}>){0,20}1010\b/i,
];
/** Cloudflare's pages are shorter. */
const LONGEST_BOT_WALL = 200_000;

/** Whether Cloudflare answered instead of the site, by its header or by the texts and markers of its pages. */
export function isBotWall({ headers, text }: Answered): boolean {
  const start = text.slice(0, LONGEST_BOT_WALL);
  return headers["cf-mitigated"] === "challenge" || BOT_WALL_TEXTS.some((sign) => sign.test(start));
}

export function isWebPage({ headers, text }: Answered): boolean {
  return /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(?:!doctype html|html)\b/i.test(text);
}

/** The time in `Retry-After`, given in seconds or as a date; null if it is missing or unreadable. */
export function retryAfter({ headers }: Answered, now: Date): Date | null {
  const value = headers["retry-after"]?.trim() ?? "";
  const isSeconds = /^\d+$/.test(value);
  if (!isSeconds && !HTTP_DATE.test(value)) return null;
  const at = isSeconds ? now.getTime() + Number(value) * 1000 : Date.parse(value);
  if (Number.isNaN(at)) return null;
  return new Date(Math.min(Math.max(at, now.getTime()), now.getTime() + LONGEST_WAIT_MS));
}

const HTTP_DATE = /^[a-z]+, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/i;

/** No known limit lasts longer than a day. Longer waits are cut to this, and the next answer gives a new time. */
const LONGEST_WAIT_MS = 86_400_000;

export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; cause: unknown } {
  try {
    if (isNestedTooDeep(text)) throw new Error("The JSON is nested too deep");
    return { ok: true, value: JSON.parse(text) };
  } catch (cause) {
    return { ok: false, cause };
  }
}

/** Summarizes an answer for the log: its status and the beginning of its body. */
export function answerAsCause({ status, text }: Answered, cause?: unknown): Error {
  const excerpt = text.trimStart().slice(0, 3_000).replace(/\s+/g, " ").trim().slice(0, 300);
  return new Error(`HTTP ${status}: ${excerpt === "" ? "(no body)" : excerpt}`, { cause });
}

/** Removes a secret that the answer may repeat, because answers are logged. */
export function withoutSecret(answer: UpstreamAnswer, secret: string): UpstreamAnswer {
  if (secret === "") return answer;
  const hide = (text: string): string => text.replaceAll(secret, "[secret]");
  if (answer.kind === "answered") return { ...answer, text: hide(answer.text) };
  if (answer.kind === "redirected") return { ...answer, to: hide(answer.to) };
  const isTold = answer.kind === "network_error" && answer.cause.message.includes(secret);
  return isTold ? { kind: "network_error", cause: new Error(hide(answer.cause.message)) } : answer;
}
