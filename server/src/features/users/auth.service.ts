import { createHmac, timingSafeEqual } from "node:crypto";
import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from "better-auth";
import { APIError } from "better-auth/api";
import { parseCookies } from "better-auth/cookies";
import { bearer } from "better-auth/plugins/bearer";
import { twoFactor } from "better-auth/plugins/two-factor";
import { DEACTIVATED_MESSAGE, MIN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";
import type { Context } from "../../context.ts";
import type { Credentials } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import type { AuthSessionLimits } from "./auth-sessions.repo.ts";
import { hashingAdapter } from "./hashed-tokens.repo.ts";
import type { FailedAttempts } from "./failed-attempts.service.ts";
import type { PasswordLimiter } from "./password-limiter.service.ts";
import { recoveryCodes } from "./passwords.rules.ts";
import { findUser } from "./users.repo.ts";

export const DEACTIVATED_CODE = "DEACTIVATED";

/** The header in which the sign-in service passes the caller's address. A client's own value is dropped. */
export const ADDRESS_HEADER = "x-slabdesk-address";

const MAX_PASSWORD_LENGTH = 200;

/** better-auth refuses emails with letters outside ASCII. It gets them encoded, and the database adapter decodes. */
const ENCODED_AT = "@encoded.email";
export const encodeEmail = (email: string): string => `${Buffer.from(email).toString("hex")}${ENCODED_AT}`;
const decodeEmail = (encoded: string): string => Buffer.from(encoded.replace(ENCODED_AT, ""), "hex").toString();

const encodedEmails = {
  id: "encoded-emails",
  init({ adapter }) {
    const findOne: typeof adapter.findOne = (query) => {
      const where = query.where.map((one) => {
        const isEncoded = typeof one.value === "string" && one.value.endsWith(ENCODED_AT);
        return isEncoded ? { ...one, value: decodeEmail(String(one.value)) } : one;
      });
      return adapter.findOne({ ...query, where });
    };
    return { context: { adapter: { ...adapter, findOne } } };
  },
} as const satisfies BetterAuthPlugin;

export type Auth = ReturnType<typeof createAuth>;
export type UsersContext = Context & {
  auth: Auth;
  limiter: PasswordLimiter;
  failedAttempts: FailedAttempts;
  limits: AuthSessionLimits;
};

/** Configures better-auth on our tables, with cookie and bearer sessions, without its routes, sign-up and limits. */
export function createAuth({ db, config, passwords, log }: Context, secret: string, limits: AuthSessionLimits) {
  const baseURL = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
  return betterAuth({
    ...TABLES,
    appName: "Slabdesk",
    baseURL,
    secret,
    database: hashingAdapter(db),
    trustedOrigins: [new URL(baseURL).origin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: passwords,
    },
    // The cookie lives as long as any auth session can. `noteSeen` extends the session itself with each use.
    session: { ...TABLES.session, expiresIn: limits.longestMs / 1000, disableSessionRefresh: true },
    plugins: [
      bearer(),
      encodedEmails,
      twoFactor({ schema: TWO_FACTOR_TABLES, backupCodeOptions: { customBackupCodesGenerate: recoveryCodes } }),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: "slabdesk",
      useSecureCookies: config.PUBLIC_URL?.startsWith("https:") ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { validateSchema: false, joins: true },
    },
    databaseHooks: {
      session: {
        create: {
          async before(session) {
            const user = await findUser(db, session.userId);
            if (!user?.is_active)
              throw new APIError("FORBIDDEN", { code: DEACTIVATED_CODE, message: DEACTIVATED_MESSAGE });
            return {
              data: { expiresAt: new Date(session.createdAt.getTime() + Math.min(limits.idleMs, limits.longestMs)) },
            };
          },
        },
      },
    },
    // Log errors only. Its warnings report expected failures, such as wrong passwords.
    logger: {
      level: "error",
      disableColors: true,
      log: (level, message, ...details: unknown[]) => log[level]({ details }, `better-auth: ${message}`),
    },
  });
}

/** Maps better-auth's models and fields to our tables and columns. */
const TABLES = {
  user: {
    modelName: "user_profiles",
    fields: { name: "full_name", ...columnsOf("emailVerified", "createdAt", "updatedAt") },
  },
  session: {
    modelName: "auth_sessions",
    fields: {
      token: "token_hash",
      ...columnsOf("userId", "expiresAt", "ipAddress", "userAgent", "createdAt", "updatedAt"),
    },
  },
  account: {
    modelName: "auth_accounts",
    fields: {
      ...columnsOf("accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken"),
      ...columnsOf("accessTokenExpiresAt", "refreshTokenExpiresAt", "createdAt", "updatedAt"),
    },
  },
  verification: { modelName: "auth_verifications", fields: columnsOf("expiresAt", "createdAt", "updatedAt") },
} as const satisfies Pick<BetterAuthOptions, "user" | "session" | "account" | "verification">;

const TWO_FACTOR_TABLES = {
  user: { fields: columnsOf("twoFactorEnabled") },
  twoFactor: {
    modelName: "auth_two_factors",
    fields: columnsOf("userId", "backupCodes", "failedVerificationCount", "lockedUntil"),
  },
};

/** Maps fields to columns of the same name in snake case. */
function columnsOf(...fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
  );
}

const BEARER = /^bearer +(\S+)$/i;

/**
 * The session token in a request's credentials, read as better-auth does: a bearer token, signed or not, else the
 * signed cookie. Null if there is none in this form, or its signature is wrong.
 */
export async function findSessionToken(auth: Auth, { cookie, authorization }: Credentials): Promise<string | null> {
  const { secret, authCookies } = await auth.$context;
  const bearer = authorization && BEARER.exec(authorization)?.[1];
  const token = bearer?.includes(".") ? verified(bearer, secret) : bearer;
  if (token) return token;
  const signed = cookie && parseCookies(cookie).get(authCookies.sessionToken.name);
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

const WRONG_CODES: readonly unknown[] = ["INVALID_CODE", "INVALID_BACKUP_CODE"];

export const wrongCode = (): HttpError => twoStepRequired("This code is wrong or no longer valid. Try the next one");

/** Returns our error for a code that better-auth refused. Null if it refused something else. */
export function refusedCode(error: unknown): HttpError | null {
  if (!(error instanceof APIError)) return null;
  const code = error.body?.code;
  if (WRONG_CODES.includes(code)) return wrongCode();
  if (code !== "ACCOUNT_TEMPORARILY_LOCKED") return null;
  return new HttpError(429, "too_many_requests", "Too many wrong codes. Please wait 15 minutes and try again");
}

export function twoStepRequired(message: string): HttpError {
  return new HttpError(401, "two_step_required", message, { fields: { code: message } });
}

/** A code as it was given out, however it is typed. */
export const plainCode = (typed: string): string => typed.replaceAll(/\s/g, "").toLowerCase();

/** Completes a sign-in with the app's six digits or with a recovery code, which it uses up. @throws APIError */
export async function verifyCode(auth: Auth, code: string, headers: Headers) {
  const request = { body: { code }, headers, returnHeaders: true } as const;
  return /^\d+$/.test(code) ? auth.api.verifyTOTP(request) : auth.api.verifyBackupCode(request);
}
