import type { Context } from "../../context.ts";
import { historyRoutes } from "./history.routes.ts";
import { createLookupHistoryService } from "./lookup-history.service.ts";
import { createProvenanceService } from "./provenance.service.ts";
import { createSearchService } from "./search.service.ts";

/** Earlier look-ups of cards, the provenance of rows, and the search of rows. */
export function historyFeature({ db, pool, sessions }: Context) {
  const lookupHistory = createLookupHistoryService(db);
  const provenances = createProvenanceService({ db, lookupHistory });
  const search = createSearchService({ db, pool });
  return { lookupHistory, plugin: historyRoutes({ sessions, lookupHistory, provenances, search }) };
}
