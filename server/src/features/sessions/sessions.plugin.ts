import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { deletionRoutes } from "./deletion.routes.ts";
import { createDeletionService, type DeletionParts } from "./deletion.service.ts";
import { createSessionEvents } from "./sessions.events.ts";
import { sessionsRoutes } from "./sessions.routes.ts";

/** Lists, shows, follows, renames and deletes sessions. */
export function sessionsFeature(
  { db, jobs, notifications, intervals, activity, sessions }: Context,
  { forgetPhoto }: Pick<DeletionParts, "forgetPhoto">,
) {
  const events = createSessionEvents({ notifications, changes: sessions.changes, eventsMs: intervals.eventsMs });
  return {
    plugin: registerAll(
      sessionsRoutes({ sessions, events, notifications }),
      deletionRoutes(sessions, createDeletionService({ db, jobs, forgetPhoto, activity })),
    ),
    /** Ends the event streams. */
    stopEvents: events.stop,
  };
}
