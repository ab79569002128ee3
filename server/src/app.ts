import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import serverPackage from "../package.json" with { type: "json" };
import { createContext, type ServerParts } from "./context.ts";
import { activityRoutes } from "./features/activity/activity.routes.ts";
import { certsFeature } from "./features/certs/certs.plugin.ts";
import { exportsRoutes } from "./features/exports/exports.routes.ts";
import { historyFeature } from "./features/history/history.plugin.ts";
import { photosFeature } from "./features/photos/photos.plugin.ts";
import { plansRoutes } from "./features/plans/plans.routes.ts";
import { pricesFeature } from "./features/prices/prices.plugin.ts";
import { reviewRoutes } from "./features/review/review.routes.ts";
import { runsFeature } from "./features/runs/runs.plugin.ts";
import { sessionsFeature } from "./features/sessions/sessions.plugin.ts";
import { sourcesFeature } from "./features/sources/sources.plugin.ts";
import { statsFeature } from "./features/stats/stats.plugin.ts";
import type { FirstAdmin } from "./features/users/users.service.ts";
import { usersFeature } from "./features/users/users.plugin.ts";
import { buildApp } from "./http/app.ts";
import { isUnencrypted } from "./http/own-address.ts";
import { startCallRetention } from "./upstreams/call-log.ts";

/** Time that requests in flight get before their connections are closed. */
const STOP_TIMEOUT_MS = 10_000;
/** Time that a card in flight gets to finish when the server stops. After that, the next start runs it again. */
const LAST_CARD_MS = 20_000;
/** With a timeout, a connection that hangs is dropped instead of kept. */
const DATABASE_CHECK = { text: "SELECT 1", query_timeout: 2_000 };
const WEB_FOLDER = fileURLToPath(new URL("../../web/dist/", import.meta.url));

export type Server = Awaited<ReturnType<typeof createServer>>;

export async function createServer(parts: ServerParts) {
  const context = createContext(parts);
  const { config, pool, db, log, report, intervals, jobs, notifications, credentials, upstreams, activity } = context;
  const { version } = serverPackage;
  const users = await usersFeature(context);
  const { certs, ...cards } = certsFeature(context);
  const { pricing, ...prices } = pricesFeature(context);
  const photos = photosFeature(context, { certs });
  const sessions = sessionsFeature(context, { forgetPhoto: photos.images.forget });
  const stats = statsFeature(context);
  const history = historyFeature(context);
  const runs = runsFeature(context, { certs, pricing });
  const features = [
    users,
    { plugin: activityRoutes(activity) },
    sessions,
    cards,
    prices,
    photos,
    runs,
    { plugin: reviewRoutes(context) },
    history,
    { plugin: plansRoutes({ ...context, certs, pricing }) },
    { plugin: exportsRoutes({ ...context, images: photos.images }) },
    stats,
    sourcesFeature(context, version),
  ];
  const servesPeople = config.ROLE !== "worker";
  const app = await buildApp({
    config,
    log,
    version,
    resolveViewer: users.resolveViewer,
    findToken: users.findToken,
    checkDatabase: () => pool.query(DATABASE_CHECK),
    routes: servesPeople ? features.map(({ plugin }) => plugin) : [],
    webFolder: servesPeople && existsSync(WEB_FOLDER) ? WEB_FOLDER : null,
    ...intervals,
  });
  let loops: Promise<unknown> = Promise.resolve();

  async function startWork(): Promise<void> {
    await prices.work();
    await runs.work();
    await photos.work();
    loops = Promise.all([
      runs.wakeWaiting(),
      runs.enqueueBacklogs(),
      prices.deferWithoutCredentials(),
      photos.fetchLateImages(),
      stats.rollUp(),
      history.index(),
      users.purgeAuthSessions(upstreams.lanes.closing),
      startCallRetention(db, report, upstreams.lanes.closing),
    ]);
  }

  return {
    app,
    /** Starts the background work. Returns the first administrator if this start created one. */
    async start(): Promise<{ firstAdmin: FirstAdmin | null }> {
      if (servesPeople && isUnencrypted(config))
        log.warn("Other machines reach this server without https: passwords are sent unencrypted (docs/settings.md)");
      await jobs.start();
      await notifications.start();
      await credentials.start();
      if (config.ROLE !== "web") await startWork();
      // Last, so that no error after it hides the new password from the caller.
      return { firstAdmin: servesPeople ? await users.createFirstAdmin() : null };
    },
    /** Stops in order: refuses new requests, finishes those in flight, stops background work. Leaves the pool open. */
    async stop(): Promise<void> {
      sessions.stop();
      await notifications.stop();
      const overdue = setTimeout(() => app.server.closeAllConnections(), STOP_TIMEOUT_MS);
      await app.close();
      clearTimeout(overdue);
      try {
        await Promise.all([upstreams.lanes.close(), jobs.stop(LAST_CARD_MS), loops, photos.close()]);
        certs.close();
        pricing.close();
        context.sheets.close();
        await upstreams.close();
      } finally {
        await activity.written();
      }
    },
  };
}
