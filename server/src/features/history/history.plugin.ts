import type { Context } from "../../context.ts";
import { historyRoutes } from "./history.routes.ts";
import { createLookupHistoryService } from "./lookup-history.service.ts";
import { createSearchService } from "./search.service.ts";

export function historyFeature({ db, pool, sessions }: Context) {
  const lookupHistory = createLookupHistoryService(db);
  return { lookupHistory, plugin: historyRoutes(sessions, lookupHistory, createSearchService({ db, pool })) };
}
