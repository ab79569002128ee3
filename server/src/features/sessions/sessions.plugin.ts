import type { Context } from "../../context.ts";
import { createDeletionService, type DeletionParts } from "./deletion.service.ts";
import { createSessionEvents } from "./sessions.events.ts";
import { sessionsRoutes } from "./sessions.routes.ts";

/** Lists, shows, follows, renames and deletes sessions. */
export function sessionsFeature(context: Context, { forgetPhoto }: Pick<DeletionParts, "forgetPhoto">) {
  const { notifications, intervals, sessions } = context;
  const events = createSessionEvents({ notifications, changes: sessions.changes, eventsMs: intervals.eventsMs });
  const deletion = createDeletionService({ ...context, forgetPhoto });
  return {
    plugin: sessionsRoutes({ sessions, deletion, events, notifications }),
    stopEvents: events.stop,
  };
}
