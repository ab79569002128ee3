import type pg from "pg";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config.ts";
import { openCredentials } from "./credentials/credentials.ts";
import type { Database, DatabaseSettings } from "./database/connection.ts";
import { createNotifications } from "./database/notifications.ts";
import { createActivityService } from "./features/activity/activity.service.ts";
import { createSessionsService } from "./features/sessions/sessions.service.ts";
import type { Passwords } from "./features/users/passwords.rules.ts";
import { INTERVALS, type Intervals } from "./intervals.ts";
import { createJobs } from "./jobs/jobs.ts";
import { createSheetIntake } from "./sheets/sheet-routes.ts";
import { openUpstreams } from "./open-upstreams.ts";

export type ServerParts = {
  config: Config;
  /** Address of this database, for services with their own connections. */
  settings: DatabaseSettings;
  pool: pg.Pool;
  db: Database;
  dataDir: string;
  passwords: Passwords;
  log: FastifyBaseLogger;
  intervals?: Intervals;
};

/** What the features are built from. The activity log and the access checks of sessions serve most of them. */
export type Context = ReturnType<typeof createContext>;

export function createContext(parts: ServerParts) {
  const { config, settings, pool, db, dataDir, log, intervals = INTERVALS } = parts;
  const now = () => new Date();
  const report = (error: Error): void => log.error({ err: error }, "A background task failed");
  const activity = createActivityService({ db, log, now });
  const notifications = createNotifications(settings, report);
  const credentials = openCredentials({ config, db, dataDir, notifications, log });
  return {
    ...parts,
    intervals,
    now,
    report,
    jobs: createJobs(settings, report, intervals),
    notifications,
    credentials,
    upstreams: openUpstreams({ config: credentials.settings, pool, db, now, report, intervals }),
    activity,
    sessions: createSessionsService({ db, activity }),
    sheets: createSheetIntake({ deadlineMs: intervals.sheetDeadlineMs, slowBodyMs: intervals.slowBodyMs }),
  };
}
