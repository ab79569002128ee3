import { createHash, randomUUID } from "node:crypto";
import type { House } from "../endpoints/endpoint.ts";

/** The only account, and the web front end's API key. */
export const CARDLADDER_WEB_KEY = "simulator-web-key";
export const CARDLADDER_EMAIL = "dealer@simulator.invalid";
export const CARDLADDER_PASSWORD = "simulator-cardladder-password";

export const TOKEN_LIFE_S = 3600;

export type Tokens = { idToken: string; refreshToken: string };

/** Id tokens expire after an hour or when the day is renewed. A refresh token works once and returns the next one. */
export class Logins {
  /** The expiration of each id token, in milliseconds since 1970. */
  #ends = new Map<string, number>();
  readonly #refreshTokens = new Set<string>();

  constructor(house: House) {
    house.behavior.onRenewDay(() => {
      this.#ends.clear();
    });
  }

  open(): Tokens {
    const now = Date.now();
    this.#ends = new Map([...this.#ends].filter(([, end]) => end > now));
    const idToken = jwt(now);
    const refreshToken = `AMf-${randomUUID()}`;
    this.#ends.set(idToken, now + TOKEN_LIFE_S * 1000);
    this.#refreshTokens.add(refreshToken);
    return { idToken, refreshToken };
  }

  /** Exchanges a refresh token for new tokens. Null if it is unknown or already used. */
  refresh(refreshToken: string): Tokens | null {
    return this.#refreshTokens.delete(refreshToken) ? this.open() : null;
  }

  accepts(authorization: string | undefined): boolean {
    const idToken = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
    return idToken !== undefined && (this.#ends.get(idToken) ?? 0) > Date.now();
  }
}

function jwt(now: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const iat = Math.floor(now / 1000);
  const claims = { sub: "simulator-user", email: CARDLADDER_EMAIL, iat, exp: iat + TOKEN_LIFE_S, jti: randomUUID() };
  const head = `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}`;
  return `${head}.${createHash("sha256").update(head).digest("base64url")}`;
}
