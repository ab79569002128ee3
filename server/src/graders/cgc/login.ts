import { z } from "zod";
import { createSingleFlight } from "../../concurrency/single-flight.ts";
import type { Config } from "../../config.ts";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import type { NotFound, QuotaExhausted } from "../grader.ts";
import {
  answerAsCause,
  blocked,
  isBotWall,
  isWebPage,
  noAnswer,
  parseJson,
  unavailable,
  withoutSecret,
} from "../upstream-answers.ts";
import type { Answered } from "../upstream-answers.ts";
import { CGC_API, rateLimited } from "./rate-limit.ts";

/*
 * The dealer API's token. It is fetched by one login, shared by all cards that wait for it, and kept until shortly
 * before it expires or until a call with it is refused. A failed login is not cached: the next card tries again.
 */

export type CgcLogin = {
  token(): Promise<CgcToken>;
  /** Logs in even if a token is cached. If that fails, the cached token stays. */
  renew(): Promise<CgcToken>;
  /** Drops a token that the API refused, unless a newer one has replaced it. */
  forget(token: string): void;
};
export type CgcToken = { ok: true; token: string } | { ok: false; outcome: NotFound | QuotaExhausted };

export type CgcLoginParts = {
  endpoint: Endpoint;
  settings: Pick<Config, "CGC_API_URL" | "CGC_API_USERNAME" | "CGC_API_PASSWORD">;
  now: () => Date;
};

/** How long clients of the dealer API keep a token without an expiry time. */
const UNKNOWN_LIFETIME_MS = (30 * 24 - 1) * 3_600_000;
const RENEW_BEFORE_EXPIRY_MS = 60_000;

export function createCgcLogin({ endpoint, settings, now }: CgcLoginParts): CgcLogin {
  let held: { token: string; until: number } | null = null;
  const flights = createSingleFlight<CgcToken>();

  async function logIn(): Promise<CgcToken> {
    const answered = await endpoint({
      url: `${settings.CGC_API_URL}/auth/login/CGC`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ Username: settings.CGC_API_USERNAME, Password: settings.CGC_API_PASSWORD }),
    });
    const isToken = answered.kind === "answered" && answered.status < 300;
    const answer = isToken ? answered : withoutSecret(answered, settings.CGC_API_PASSWORD ?? "");
    if (answer.kind !== "answered") return { ok: false, outcome: noAnswer(CGC_API, answer) };
    const reading = readLogin(answer, now());
    if (reading.ok) held = { token: reading.token, until: heldUntil(reading.token, now()) };
    return reading;
  }

  const renew = (): Promise<CgcToken> => flights.run("token", logIn);

  return {
    renew,
    async token() {
      return held && held.until > now().getTime() ? { ok: true, token: held.token } : renew();
    },
    forget(token) {
      if (held?.token === token) held = null;
    },
  };
}

/** The token is a plain string, with or without quotes. An older form wraps it in an object. */
function readLogin(answer: Answered, now: Date): CgcToken {
  const { status } = answer;
  const failed = (outcome: NotFound | QuotaExhausted): CgcToken => ({ ok: false, outcome });
  if (isBotWall(answer) || (status === 403 && isWebPage(answer))) return failed(blocked(CGC_API, answer));
  if (status === 429) return failed(rateLimited(answer, now));
  if (status === 400 || status === 401 || status === 403) {
    const message = `CGC rejected our API credentials (${status} at login)`;
    return failed({ code: "forbidden", message, cause: answerAsCause(answer) });
  }
  if (status !== 200 && status !== 201) {
    return failed(unavailable(`CGC's API login is not working at the moment (${status})`, answerAsCause(answer)));
  }
  const token = readToken(answer.text);
  if (token === null)
    return failed(unavailable("CGC's API login returned an unexpected response", answerAsCause(answer)));
  return { ok: true, token };
}

const wrappedTokenSchema = z.object({ authToken: z.string() }).transform(({ authToken }) => authToken);

function readToken(text: string): string | null {
  const json = parseJson(text);
  const value = json.ok ? z.union([z.string(), wrappedTokenSchema]).safeParse(json.value).data : text;
  const token = value?.trim().replace(/^["']|["']$/g, "") ?? "";
  return /^[\w.~+/=-]+$/.test(token) ? token : null;
}

function heldUntil(token: string, now: Date): number {
  const expiry = jwtExpiry(token);
  return expiry === null ? now.getTime() + UNKNOWN_LIFETIME_MS : expiry - RENEW_BEFORE_EXPIRY_MS;
}

/** The expiry time of a JWT in milliseconds; null if it is not a JWT or has no expiry time. */
function jwtExpiry(token: string): number | null {
  const claims = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  if (!claims.ok) return null;
  const parsed = z.object({ exp: z.number() }).safeParse(claims.value);
  return parsed.success ? parsed.data.exp * 1000 : null;
}
