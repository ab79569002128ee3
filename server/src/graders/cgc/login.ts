import { z } from "zod";
import { postJson } from "../../upstreams/endpoint.ts";
import type { ClientParts, NotFound, Refused } from "../grader.ts";
import { holdToken, type HeldToken } from "../held-token.ts";
import * as answers from "../upstream-answers.ts";

export type CgcSetting = "CGC_API_URL" | "CGC_API_USERNAME" | "CGC_API_PASSWORD";

export const CGC_API = { company: "CGC", part: "API" } as const;

/** How long clients of the dealer API keep a token without an expiry time. */
const UNKNOWN_LIFETIME_MS = (30 * 24 - 1) * 3_600_000;
const RENEW_BEFORE_EXPIRY_MS = 60_000;

/** The dealer API's token. It is kept until shortly before it expires or until a call with it is refused. */
export function createCgcLogin({ endpoint, settings, now }: ClientParts<CgcSetting>): HeldToken {
  const account = (): string => JSON.stringify([settings.CGC_API_USERNAME, settings.CGC_API_PASSWORD]);
  const logIn: Parameters<typeof holdToken>[1] = async () => {
    const password = settings.CGC_API_PASSWORD ?? "";
    const credentials = { Username: settings.CGC_API_USERNAME, Password: password };
    const answered = await endpoint(postJson(`${settings.CGC_API_URL}/auth/login/CGC`, credentials));
    const isToken = answered.kind === "answered" && answered.status < 300;
    const answer = isToken ? answered : answers.withoutSecret(answered, password);
    if (answer.kind !== "answered") return { ok: false, outcome: answers.noAnswer(CGC_API, answer) };
    const refusal = refusalOf(answer, now());
    if (refusal) return { ok: false, outcome: refusal };
    const token = readToken(answer.text);
    if (token !== null) return { ok: true, value: { token, until: usableUntil(token, now()), refreshToken: null } };
    const message = "CGC's API login returned an unexpected response";
    return { ok: false, outcome: answers.unavailable(message, answers.answerAsCause(answer)) };
  };
  return holdToken(account, logIn, now);
}

function refusalOf(answer: answers.Answered, now: Date): Refused | null {
  const { status } = answer;
  if (answers.isBotWall(answer) || (status === 403 && answers.isWebPage(answer)))
    return answers.blocked(CGC_API, answer);
  if (status === 403 && /scope/i.test(answer.text)) return wrongScope(answer);
  if (status === 400 || status === 401 || status === 403)
    return answers.forbidden(`CGC rejected our API credentials (${status} at login)`, answer);
  if (status === 200 || status === 201) return null;
  const message = `CGC's API login is not working at the moment (${status})`;
  return answers.rateRefusal(CGC_API, answer, now) ?? answers.unavailable(message, answers.answerAsCause(answer));
}

const WRONG_SCOPE = "This CGC login may not read CGC cards (403). Ask CGC to give the account access to company CGC";

/** A valid login of an account without CGC cards, such as a comics dealer's; null for other answers. */
export function wrongScope(answer: answers.Answered): NotFound | null {
  if (answer.status !== 403 || answers.isBotWall(answer) || answers.isWebPage(answer)) return null;
  return answers.forbidden(WRONG_SCOPE, answer);
}

const tokenSchema = z.union([z.string(), z.object({ authToken: z.string() }).transform(({ authToken }) => authToken)]);

/** The token is a plain string, with or without quotes. An older form wraps it in an object. */
function readToken(text: string): string | null {
  const json = answers.parseJson(text);
  const value = json.ok ? tokenSchema.safeParse(json.value).data : text;
  const token = value?.trim().replace(/^["']|["']$/g, "") ?? "";
  return /^[\w.~+/=-]+$/.test(token) ? token : null;
}

/** Shortly before a JWT expires, in milliseconds. Other tokens are kept as long as clients of the API do. */
function usableUntil(token: string, now: Date): number {
  const claims = answers.parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  const expiry = z.object({ exp: z.number() }).safeParse(claims.ok ? claims.value : null).data?.exp;
  return expiry === undefined ? now.getTime() + UNKNOWN_LIFETIME_MS : expiry * 1000 - RENEW_BEFORE_EXPIRY_MS;
}
