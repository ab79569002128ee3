import { z } from "zod";
import type { UpstreamAnswer } from "../../upstreams/endpoint.ts";
import type { ClientParts, Reading, Refused } from "../../graders/grader.ts";
import { holdToken, type HeldToken } from "../../graders/held-token.ts";
import * as answers from "../../graders/upstream-answers.ts";
import { readNumber } from "../field-values.ts";
import { CARDLADDER_API } from "./callable.ts";

/*
 * CardLadder uses Firebase sign-in. The token is refreshed five minutes before it expires, with the password if that
 * fails. Response bodies never become causes: a successful one holds tokens, and Google's errors may contain the key.
 */

export type CardLadderSignInParts = ClientParts<
  "CARDLADDER_AUTH_URL" | "CARDLADDER_TOKEN_URL" | "CARDLADDER_WEB_KEY" | "CARDLADDER_EMAIL" | "CARDLADDER_PASSWORD"
>;

const RENEW_BEFORE_EXPIRY_MS = 5 * 60_000;
const USUAL_LIFETIME_S = 3600;
const LONGEST_LIFETIME_S = 86_400;

type Tokens = { token: string; refreshToken: string | null; lifetimeMs: number };

export function createCardLadderSignIn({ endpoint, settings, now }: CardLadderSignInParts): HeldToken {
  async function post(url: string, contentType: string, body: string, schema: z.ZodType<Tokens>) {
    const key = encodeURIComponent(settings.CARDLADDER_WEB_KEY ?? "");
    const headers = { "content-type": contentType };
    const answer = await endpoint({ url: `${url}?key=${key}`, method: "POST", headers, body });
    return readTokens(answers.withoutSecret(answer, key), schema, now());
  }

  function byPassword(): Promise<Reading<Tokens>> {
    const url = `${settings.CARDLADDER_AUTH_URL}/v1/accounts:signInWithPassword`;
    const credentials = { email: settings.CARDLADDER_EMAIL, password: settings.CARDLADDER_PASSWORD };
    const body = JSON.stringify({ ...credentials, returnSecureToken: true });
    return post(url, "application/json", body, signedInSchema);
  }

  function byRefresh(refreshToken: string): Promise<Reading<Tokens>> {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }).toString();
    const url = `${settings.CARDLADDER_TOKEN_URL}/v1/token`;
    return post(url, "application/x-www-form-urlencoded", body, refreshedSchema);
  }

  async function fetchTokens(refreshToken: string | null): Promise<Reading<Tokens>> {
    if (refreshToken === null) return byPassword();
    const refreshed = await byRefresh(refreshToken);
    if (!refreshed.ok) return refreshed.outcome.code === "quota_exhausted" ? refreshed : byPassword();
    return { ok: true, value: { ...refreshed.value, refreshToken: refreshed.value.refreshToken ?? refreshToken } };
  }

  const accountNow = (): string =>
    JSON.stringify([settings.CARDLADDER_WEB_KEY, settings.CARDLADDER_EMAIL, settings.CARDLADDER_PASSWORD]);
  const fetchToken: Parameters<typeof holdToken>[1] = async (refreshWith) => {
    const askedAt = now().getTime();
    const fetched = await fetchTokens(refreshWith);
    if (!fetched.ok) return fetched;
    const { lifetimeMs, ...tokens } = fetched.value;
    const until = askedAt + lifetimeMs - Math.min(RENEW_BEFORE_EXPIRY_MS, lifetimeMs / 2);
    return { ok: true, value: { ...tokens, until } };
  };
  return holdToken(accountNow, fetchToken, now);
}

/** Characters allowed in a header. */
const tokenSchema = z.string().regex(/^[\w.~+/=-]+$/);
const refreshTokenSchema = z.string().min(1).max(10_000).nullish().catch(null);
const signedInSchema = z
  .object({ idToken: tokenSchema, refreshToken: refreshTokenSchema, expiresIn: z.unknown().optional() })
  .transform(({ idToken, refreshToken, expiresIn }) => tokensOf(idToken, refreshToken, expiresIn));
const refreshedSchema = z
  .object({ id_token: tokenSchema, refresh_token: refreshTokenSchema, expires_in: z.unknown().optional() })
  .transform(({ id_token, refresh_token, expires_in }) => tokensOf(id_token, refresh_token, expires_in));

function tokensOf(token: string, refreshToken: string | null | undefined, expiresIn: unknown): Tokens {
  const seconds = readNumber(expiresIn) ?? USUAL_LIFETIME_S;
  const lifetimeS = seconds > 0 ? Math.min(seconds, LONGEST_LIFETIME_S) : USUAL_LIFETIME_S;
  return { token, refreshToken: refreshToken ?? null, lifetimeMs: lifetimeS * 1000 };
}

function readTokens(answer: UpstreamAnswer, schema: z.ZodType<Tokens>, now: Date): Reading<Tokens> {
  if (answer.kind !== "answered") return { ok: false, outcome: answers.noAnswer(CARDLADDER_API, answer) };
  if (answer.status !== 200) return { ok: false, outcome: signInRefusal(answer, now) };
  const json = answers.parseJson(answer.text);
  const tokens = json.ok ? schema.safeParse(json.value) : null;
  if (tokens?.success) return { ok: true, value: tokens.data };
  const cause = new Error(`HTTP ${answer.status} without a token`);
  return { ok: false, outcome: answers.unavailable("CardLadder's sign-in returned an unexpected response", cause) };
}

/** Google's error code, for example "INVALID_LOGIN_CREDENTIALS": the first word of its `message`. */
const refusalSchema = z.object({
  error: z.object({
    message: z.string().transform((message) => /^([A-Z_]{3,60})(?:\s*:|$)/.exec(message)?.[1] ?? null),
  }),
});

function signInRefusal(answer: answers.Answered, now: Date): Refused {
  const { status } = answer;
  const json = answers.parseJson(answer.text);
  const code = json.ok ? (refusalSchema.safeParse(json.value).data?.error.message ?? null) : null;
  if (status === 429 || code === "TOO_MANY_ATTEMPTS_TRY_LATER") return answers.rateLimited(CARDLADDER_API, answer, now);
  if (answers.isBotWall(answer) || (status === 403 && answers.isWebPage(answer)))
    return answers.blocked(CARDLADDER_API, { ...answer, text: "" });
  const cause = new Error(`HTTP ${status}: ${code ?? "(no code)"}`);
  if (status === 400 || status === 401 || status === 403)
    return { code: "forbidden", message: `CardLadder rejected our sign-in (${code ?? status})`, cause };
  return answers.unavailable(`CardLadder's sign-in is not working at the moment (${status})`, cause);
}
