import { createHmac, timingSafeEqual } from "node:crypto";
import { parseCookies } from "better-auth/cookies";
import type { Credentials } from "../../http/guards.ts";

export type TokenParts = { secret: string; cookieName: string };

const BEARER = /^bearer +(\S+)$/i;

/**
 * The session token in a request's credentials, read as better-auth reads them: a bearer token, signed or not, else the
 * signed cookie. Null if there is none in this form, or its signature is wrong.
 */
export function sessionTokenOf(
  { cookie, authorization }: Credentials,
  { secret, cookieName }: TokenParts,
): string | null {
  const bearer = authorization && BEARER.exec(authorization)?.[1];
  const token = bearer?.includes(".") ? verified(bearer, secret) : bearer;
  if (token) return token;
  const signed = cookie && parseCookies(cookie).get(cookieName);
  return signed ? verified(signed, secret) : null;
}

/** The token of "token.signature", where the signature is in base64 and may be URL-encoded. */
function verified(signed: string, secret: string): string | null {
  const [token = "", signature = "", ...rest] = decode(signed).split(".");
  if (rest.length > 0) return null;
  const wanted = createHmac("sha256", secret).update(token).digest();
  const given = Buffer.from(signature, "base64");
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? token : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
