import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { lookupHistoryRoutes } from "./lookup-history.routes.ts";
import { createLookupHistoryService } from "./lookup-history.service.ts";
import { provenanceRoutes } from "./provenance.routes.ts";
import { createProvenanceService } from "./provenance.service.ts";
import { searchRoutes } from "./search.routes.ts";
import { createSearchService } from "./search.service.ts";

/** Earlier look-ups of cards, the provenance of rows, and the search of rows. */
export function historyFeature({ db, pool, sessions }: Context) {
  const lookupHistory = createLookupHistoryService(db);
  return {
    lookupHistory,
    plugin: registerAll(
      lookupHistoryRoutes(sessions, lookupHistory),
      provenanceRoutes(sessions, createProvenanceService({ db, lookupHistory })),
      searchRoutes(createSearchService({ db, pool })),
    ),
  };
}
