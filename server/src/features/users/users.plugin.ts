import { repeat } from "../../concurrency/repeat.ts";
import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { deleteExpiredAuthSessions, getAuthSecret } from "./auth-sessions.repo.ts";
import { authSessionsRoutes } from "./auth-sessions.routes.ts";
import { createAuthSessionsService } from "./auth-sessions.service.ts";
import { createAuth } from "./auth.service.ts";
import { createPasswordLimiter } from "./password-limiter.service.ts";
import { passwordsRoutes } from "./passwords.routes.ts";
import { createPasswordsService } from "./passwords.service.ts";
import { weakSettings } from "./passwords.rules.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import { createSignInService } from "./sign-in.service.ts";
import { twoStepRoutes } from "./two-step.routes.ts";
import { createTwoStepService } from "./two-step.service.ts";
import { usersRoutes } from "./users.routes.ts";
import { createFirstAdmin, createUsersService } from "./users.service.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Users, their passwords, and the places where they are signed in. */
export async function usersFeature({ config, db, pool, passwords, activity, log, now, report }: Context) {
  const { hash: hashPassword } = passwords;
  const limits = { idleMs: config.SESSION_IDLE_HOURS * HOUR_MS, longestMs: config.SESSION_MAX_DAYS * DAY_MS };
  const secret = config.AUTH_SECRET ?? (await getAuthSecret(db));
  const auth = createAuth({ db, secret, config, limits, passwords, log });
  const limiter = createPasswordLimiter(pool);
  const backendPassword = config.BACKEND_PASSWORD;
  const adminsNeedTwoStep = config.ADMIN_TWO_STEP === "required";
  const parts = { auth, db, limiter, limits, activity, backendPassword, adminsNeedTwoStep, now, log };
  const signIns = createSignInService(parts);
  const defaultPassword = config.DEFAULT_USER_PASSWORD;
  if (config.ROLE !== "worker") for (const warning of weakSettings(config)) log.warn(warning);
  return {
    resolveViewer: signIns.resolveViewer,
    plugin: registerAll(
      signInRoutes(signIns),
      usersRoutes(createUsersService({ db, activity, hashPassword, defaultPassword, now })),
      passwordsRoutes(createPasswordsService({ db, limiter, activity, passwords, now })),
      twoStepRoutes(createTwoStepService({ auth, db, limiter, activity })),
      authSessionsRoutes(createAuthSessionsService({ db, activity })),
    ),
    /** Deletes expired auth sessions now and every day until `closing` aborts. */
    purgeAuthSessions: (closing: AbortSignal) =>
      repeat(() => deleteExpiredAuthSessions(db), {
        everyMs: DAY_MS,
        failure: "Failed to delete expired auth sessions; retrying in a day",
        report,
        closing,
      }),
    createFirstAdmin: () => createFirstAdmin(db, config, hashPassword),
  };
}
