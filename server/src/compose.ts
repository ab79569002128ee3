import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { FastifyBaseLogger } from "fastify";
import serverPackage from "../package.json" with { type: "json" };
import { composeRuns } from "./compose-runs.ts";
import type { Config } from "./config.ts";
import type { Database, DatabaseSettings } from "./database/connection.ts";
import { activityRoutes } from "./features/activity/activity.routes.ts";
import { createActivityService } from "./features/activity/activity.service.ts";
import { statusRoutes } from "./features/sources/status.routes.ts";
import { getAuthSecret } from "./features/users/auth-secret.repo.ts";
import { createAuth } from "./features/users/auth.ts";
import { createFirstAdmin, type FirstAdmin } from "./features/users/first-admin.ts";
import { deleteExpiredAuthSessions } from "./features/users/auth-sessions.repo.ts";
import { authSessionsRoutes } from "./features/users/auth-sessions.routes.ts";
import { createAuthSessionsService } from "./features/users/auth-sessions.service.ts";
import { createPasswordLimiter } from "./features/users/password-limiter.ts";
import { passwordsRoutes } from "./features/users/passwords.routes.ts";
import { createPasswordsService } from "./features/users/passwords.service.ts";
import type { Passwords } from "./features/users/passwords.ts";
import { signInRoutes } from "./features/users/sign-in.routes.ts";
import { createSignInService } from "./features/users/sign-in.service.ts";
import { usersRoutes } from "./features/users/users.routes.ts";
import { createUsersService } from "./features/users/users.service.ts";
import { buildApp } from "./http/app.ts";
import type { App } from "./http/app-instance.ts";
import { INTERVALS, type Intervals } from "./intervals.ts";

/** Time that requests in flight get before their connections are closed. */
const LONGEST_GOODBYE_MS = 10_000;
/** With a timeout, a connection that hangs is dropped instead of kept. */
const DATABASE_QUESTION = { text: "SELECT 1", query_timeout: 2_000 };
const WEB_FOLDER = fileURLToPath(new URL("../../web/dist/", import.meta.url));

export type ServerParts = {
  config: Config;
  /** Address of this database, for services with their own connections. */
  settings: DatabaseSettings;
  pool: pg.Pool;
  /** Migrated to the newest schema. */
  db: Database;
  /** Folder for files outside the database. */
  dataDir: string;
  passwords: Passwords;
  log: FastifyBaseLogger;
  intervals?: Intervals;
};

export type Server = {
  app: App;
  /** Starts the background work. Returns the first administrator if this start created one. */
  start(): Promise<{ firstAdmin: FirstAdmin | null }>;
  /** Stops in order: refuses new requests, finishes those in flight, stops background work. Leaves the pool open. */
  stop(): Promise<void>;
};

/** Builds all services and the HTTP server around them, for one process and one database. */
export async function composeServer(parts: ServerParts): Promise<Server> {
  const { config, settings, pool, db, dataDir, passwords, log, intervals = INTERVALS } = parts;
  const now = () => new Date();
  const { version } = serverPackage;
  const auth = createAuth({ db, secret: await getAuthSecret(db), config, passwords, log });
  const { hash: hashPassword } = passwords;
  const activity = createActivityService({ db, pool, log, now });
  const limiter = createPasswordLimiter(pool);
  const authSessions = createSignInService({
    auth,
    db,
    limiter,
    activity,
    backendPassword: config.BACKEND_PASSWORD,
    now,
    log,
  });
  const runs = composeRuns({ config, settings, pool, db, dataDir, activity, log, now, intervals });
  const users = createUsersService({ db, activity, hashPassword, defaultPassword: config.DEFAULT_USER_PASSWORD });

  const servesPeople = config.ROLE !== "worker";
  const app = await buildApp({
    config,
    log,
    version,
    resolveViewer: authSessions.resolveViewer,
    checkDatabase: async () => {
      await pool.query(DATABASE_QUESTION);
    },
    routes: servesPeople
      ? [
          signInRoutes(authSessions),
          usersRoutes(users),
          passwordsRoutes(createPasswordsService({ db, limiter, activity, passwords, now })),
          authSessionsRoutes(createAuthSessionsService({ db, activity })),
          activityRoutes(activity),
          statusRoutes({ config, version, priceSources: runs.priceSources }),
          ...runs.routes,
        ]
      : [],
    webFolder: servesPeople && existsSync(WEB_FOLDER) ? WEB_FOLDER : null,
    longestLoopDelayMs: intervals.longestLoopDelayMs,
  });

  return {
    app,
    async start() {
      await deleteExpiredAuthSessions(db);
      await runs.start();
      // Last, so that no error after it hides the new password from the caller.
      const firstAdmin = servesPeople ? await createFirstAdmin({ db, config, hashPassword }) : null;
      return { firstAdmin };
    },
    async stop() {
      await runs.stopEvents();
      const overdue = setTimeout(() => app.server.closeAllConnections(), LONGEST_GOODBYE_MS);
      await app.close();
      clearTimeout(overdue);
      try {
        await runs.stop();
      } finally {
        await activity.close();
      }
    },
  };
}
