import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from "better-auth";
import { APIError } from "better-auth/api";
import { bearer } from "better-auth/plugins/bearer";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { FastifyBaseLogger } from "fastify";
import { DEACTIVATED_MESSAGE, MIN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/connection.ts";
import { endSurplusAuthSessions, type AuthSessionLimits } from "./auth-sessions.repo.ts";
import { hashingAdapter } from "./hashed-tokens.repo.ts";
import { recoveryCodes, type Passwords } from "./passwords.rules.ts";

/** The error code that identifies our refusal of a deactivated account in better-auth's errors. */
export const DEACTIVATED_CODE = "DEACTIVATED";

/** The header in which the sign-in service passes the caller's address. A client's own value is dropped. */
export const ADDRESS_HEADER = "x-slabdesk-address";

const MAX_PASSWORD_LENGTH = 200;

/**
 * better-auth refuses addresses with letters outside ASCII. So sign-ins pass every address encoded, and its database
 * adapter decodes it.
 */
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

export type AuthParts = {
  db: Database;
  secret: string;
  config: Pick<Config, "PUBLIC_URL" | "PORT">;
  limits: AuthSessionLimits;
  passwords: Passwords;
  log: FastifyBaseLogger;
};
export type Auth = ReturnType<typeof createAuth>;

/**
 * Configures better-auth on our tables, with email and password, and cookie and bearer sessions. Public sign-up is
 * disabled; the users service creates users. better-auth's own routes aren't mounted. PasswordLimiter limits sign-ins.
 */
export function createAuth({ db, secret, config, limits, passwords, log }: AuthParts) {
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
            const { is_active } = await db
              .selectFrom("user_profiles")
              .select("is_active")
              .where("id", "=", session.userId)
              .executeTakeFirstOrThrow();
            if (!is_active) throw new APIError("FORBIDDEN", { code: DEACTIVATED_CODE, message: DEACTIVATED_MESSAGE });
            return {
              data: { expiresAt: new Date(session.createdAt.getTime() + Math.min(limits.idleMs, limits.longestMs)) },
            };
          },
          after: ({ userId }) => endSurplusAuthSessions(db, userId),
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
    additionalFields: {
      role: { type: "string", required: true, input: false },
      is_active: { type: "boolean", required: true, input: false, defaultValue: true },
      total_scans: { type: "number", required: true, input: false, defaultValue: 0 },
      total_cards_processed: { type: "number", required: true, input: false, defaultValue: 0 },
      last_login: { type: "date", required: false, input: false },
      one_time_password: { type: "string", required: false, input: false },
    },
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
