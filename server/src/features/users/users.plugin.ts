import { randomBytes } from "node:crypto";
import { repeat } from "../../concurrency/repeat.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/connection.ts";
import { keepSetting } from "../../database/server-settings.ts";
import type { Credentials } from "../../http/guards.ts";
import { registerAll } from "../../http/route-schemas.ts";
import { deleteExpiredAuthSessions } from "./auth-sessions.repo.ts";
import { createAuthSessionsService, endSessionsOfOldSecrets } from "./auth-sessions.service.ts";
import { createAuth, findSessionToken } from "./auth.service.ts";
import { createFailedAttempts } from "./failed-attempts.service.ts";
import { createPasswordLimiter } from "./password-limiter.service.ts";
import { createPasswordsService } from "./passwords.service.ts";
import { weakSettings } from "./passwords.rules.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import { createSignInService } from "./sign-in.service.ts";
import { createTwoStepService } from "./two-step.service.ts";
import { authSessionsRoutes, passwordsRoutes, twoStepRoutes, usersRoutes } from "./users.routes.ts";
import { createFirstAdmin, createUsersService } from "./users.service.ts";

const HOUR_MS = 3_600_000;

export async function usersFeature(context: Context) {
  const { config, db, pool, passwords, log, report, intervals } = context;
  const limits = { idleMs: config.SESSION_IDLE_HOURS * HOUR_MS, longestMs: config.SESSION_MAX_DAYS * 24 * HOUR_MS };
  // Without AUTH_SECRET, a generated secret in the database, so that all nodes share it.
  const secret = config.AUTH_SECRET ?? (await keepSetting(db, "auth_secret", randomBytes(32).toString("base64url")));
  const authOn = (database: Database) => createAuth({ ...context, db: database }, secret, limits);
  const auth = authOn(db);
  const failedAttempts = createFailedAttempts(context.activity);
  const parts = { ...context, auth, limiter: createPasswordLimiter(pool), failedAttempts, limits };
  const signIns = createSignInService(parts);
  if (config.ROLE !== "worker") {
    for (const warning of weakSettings(config)) log.warn(warning);
    await endSessionsOfOldSecrets(context, secret);
  }
  return {
    resolveViewer: signIns.resolveViewer,
    findToken: (credentials: Credentials) => findSessionToken(auth, credentials),
    plugin: registerAll(
      signInRoutes(signIns),
      usersRoutes(createUsersService(context)),
      passwordsRoutes(createPasswordsService(parts)),
      twoStepRoutes(createTwoStepService(parts, authOn)),
      authSessionsRoutes(createAuthSessionsService(context)),
    ),
    purgeAuthSessions: (closing: AbortSignal) =>
      repeat(() => deleteExpiredAuthSessions(db), {
        everyMs: intervals.expiredAuthSessionsMs,
        failure: "Failed to delete expired auth sessions; retrying in a day",
        report,
        closing,
      }),
    createFirstAdmin: () => createFirstAdmin(db, config, passwords.hash),
  };
}
