import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { UpstreamAnswer } from "../lanes/endpoint.ts";
import type { NotFound, QuotaExhausted } from "./grader.ts";

export type Answered = Extract<UpstreamAnswer, { kind: "answered" }>;
export type Unanswered = Exclude<UpstreamAnswer, Answered>;

/** Which endpoint of a company or price source an answer came through, as staff know it: "PSA's API". */
export type Source = { company: string; part: "API" | "page" };

/** Outcomes that say what was asked for, or that there is none of it. */
const IS_OF_USE: ReadonlySet<OutcomeCode> = new Set(["found", "not_found", "invalid_number"]);

/** The outcome of an answer, which the log of calls is told of: a wall or what cannot be read may come with 200. */
export function judged<T extends { code: OutcomeCode }>(answer: Answered, outcome: T): T {
  answer.judge?.(IS_OF_USE.has(outcome.code));
  return outcome;
}

/** No usable answer came at all. */
export function noAnswer({ company, part }: Source, answer: Unanswered): NotFound {
  const who = `${company}'s ${part}`;
  switch (answer.kind) {
    case "timed_out":
      return { code: "timeout", message: `Request timeout after ${answer.timeoutMs}ms`, cause: who };
    case "too_large":
      return unavailable(
        `${who} sent more than ${answer.limitBytes / 1_000_000} MB, which is too much for one answer`,
        answer,
      );
    case "redirected":
      return unavailable(`${who} sent us to another address, which is not followed`, answer);
    case "network_error":
      return unavailable(`${who} could not be reached`, answer.cause);
  }
}

/**
 * What an API's refusal means, by its status. 429 is not among them: each API has its own limit. A web page where an
 * API should answer says nothing about the certificate, whatever its status.
 */
export function apiRefusal({ company, part }: Source, certNumber: string, answer: Answered): NotFound {
  const { status } = answer;
  const cause = answerAsCause(answer);
  if (isBotWall(answer) || (status === 403 && isWebPage(answer))) return blocked({ company, part }, answer);
  if (status === 401 || status === 403) {
    return { code: "forbidden", message: `${company} refused our API credentials (${status})`, cause };
  }
  if (status === 404 && !isWebPage(answer)) return noSuchCert(company, certNumber, cause);
  return unavailable(`${company}'s API does not work at the moment (${status})`, cause);
}

/** What a page's answer other than 200 means, by its status. */
export function pageRefusal(
  source: Source,
  certNumber: string,
  answer: Answered,
  now: Date,
): NotFound | QuotaExhausted {
  const { company } = source;
  if (answer.status === 429) {
    const until = retryAfter(answer, now);
    if (until !== null)
      return { code: "quota_exhausted", message: `${company}'s pages want us to wait`, until, limit: null };
  }
  if (isBotWall(answer) || [401, 403, 429].includes(answer.status)) return blocked(source, answer);
  if (answer.status === 404 && isPageOf(certNumber, answer)) {
    return noSuchCert(company, certNumber, answerAsCause(answer));
  }
  return unavailable(`${company}'s page does not work at the moment (${answer.status})`, answerAsCause(answer));
}

/** Whether the page that answered, after redirects, is the certificate's own: another one's 404 says nothing about it. */
function isPageOf(certNumber: string, answer: Answered): boolean {
  return new URL(answer.url).pathname.replaceAll("-", "").includes(certNumber);
}

export function noSuchCert(company: string, certNumber: string, cause?: unknown): NotFound {
  return { code: "not_found", message: `${company} has no certificate ${certNumber}`, cause };
}

export function blocked({ company, part }: Source, answer: Answered): NotFound {
  return {
    code: "blocked",
    message: `${company}'s ${part} does not let us in (bot protection)`,
    cause: answerAsCause(answer),
  };
}

export function unavailable(message: string, cause: unknown): NotFound {
  return { code: "unavailable", message, cause };
}

/** The answer is about another certificate than the one asked for: somebody else's card is never shown. */
export function otherCert(company: Company, certNumber: string, answered: string): NotFound {
  return unavailable(
    `${company} answered with another certificate than ${certNumber}`,
    new Error(`Asked for ${company} ${certNumber}, the answer is about ${answered}`),
  );
}

const BOT_WALL_TEXTS = [
  /<title>\s*Just a moment/i,
  /Performing security verification/i,
  /Verifying you are human/i,
  /Checking your browser/i,
  /Enable JavaScript and cookies/i,
  // The same folder also serves a measuring script that Cloudflare puts into pages it does let through.
  /challenge-platform(?!\/(?:h\/[a-z]+\/)?scripts\/jsd\/)/i,
  /\bcf-chl|_cf_chl_opt/i,
  /\/cdn-cgi\/challenge(?!-platform)/i,
  /challenges\.cloudflare\.com/i,
  /\berror(?: code)?:?(?:\s|<[^>]*>)*1010\b/i,
];

/** Cloudflare's signs that it answered instead of the site: its header, or the texts and markers of its pages. */
export function isBotWall({ headers, text }: Answered): boolean {
  return headers["cf-mitigated"] === "challenge" || BOT_WALL_TEXTS.some((sign) => sign.test(text));
}

export function isWebPage({ headers, text }: Answered): boolean {
  return /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(?:!doctype html|html)\b/i.test(text);
}

/** When the other side wants to be asked again: `Retry-After` in seconds or as a date. Null when it says nothing readable. */
export function retryAfter({ headers }: Answered, now: Date): Date | null {
  const value = headers["retry-after"]?.trim() ?? "";
  const isSeconds = /^\d+$/.test(value);
  if (!isSeconds && !HTTP_DATE.test(value)) return null;
  const at = isSeconds ? now.getTime() + Number(value) * 1000 : Date.parse(value);
  if (Number.isNaN(at)) return null;
  return new Date(Math.min(Math.max(at, now.getTime()), now.getTime() + LONGEST_WAIT_MS));
}

const HTTP_DATE = /^[a-z]+, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/i;

/** No limit seen anywhere lasts longer than a day; a wait beyond it is cut, and the next answer says how it stands. */
const LONGEST_WAIT_MS = 86_400_000;

/** The JSON value of a text, or why it is none. */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; cause: unknown } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (cause) {
    return { ok: false, cause };
  }
}

/** An answer for the log: its status and how its body begins. */
export function answerAsCause({ status, text }: Answered, cause?: unknown): Error {
  const excerpt = text.replace(/\s+/g, " ").trim().slice(0, 300);
  return new Error(`HTTP ${status}: ${excerpt === "" ? "(no body)" : excerpt}`, { cause });
}

/** The answer without a secret that it may repeat: what is kept of answers for the log must not hold one. */
export function withoutSecret(answer: UpstreamAnswer, secret: string): UpstreamAnswer {
  if (secret === "") return answer;
  const hide = (text: string): string => text.replaceAll(secret, "[secret]");
  switch (answer.kind) {
    case "answered":
      return { ...answer, text: hide(answer.text) };
    case "redirected":
      return { ...answer, to: hide(answer.to) };
    case "network_error":
      return answer.cause.message.includes(secret)
        ? { kind: "network_error", cause: new Error(hide(answer.cause.message)) }
        : answer;
    case "timed_out":
    case "too_large":
      return answer;
  }
}
