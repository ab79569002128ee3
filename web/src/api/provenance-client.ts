import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

/** Why a row is what it is; asked for anew when something of the row has changed. */
export const provenanceQuery = (row: ResultRow) =>
  queryOptions({
    queryKey: ["scan-result", row.id, "why", stateOf(row)] as const,
    queryFn: ({ signal }) =>
      request(provenanceSchema, `scan-results/${encodeURIComponent(row.id)}/provenance`, { signal }),
    staleTime: 0,
    // The answer before stays in sight until the next one is there.
    placeholderData: (before) => (before?.row.id === row.id ? before : undefined),
  });

/** What of a row tells that there is something new to say. */
function stateOf({ status, outcome, waitingUntil, processedAt, certNumber, prices, pricing, cardsiq }: ResultRow) {
  return [
    status,
    outcome,
    waitingUntil,
    processedAt,
    certNumber,
    prices.cardladder.state,
    prices.cardsiq.state,
    pricing?.fetchedAt ?? null,
    cardsiq?.fetchedAt ?? null,
  ] as const;
}
