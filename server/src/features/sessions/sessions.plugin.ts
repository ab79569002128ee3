import type { Context } from "../../context.ts";
import type { DeletionContext } from "./deletion.service.ts";
import { createSessionEvents } from "./sessions.events.ts";
import { sessionsRoutes } from "./sessions.routes.ts";

export function sessionsFeature(context: Context, { forgetPhoto }: Pick<DeletionContext, "forgetPhoto">) {
  const events = createSessionEvents(context);
  return { plugin: sessionsRoutes({ ...context, events, forgetPhoto }), stop: events.stop };
}
