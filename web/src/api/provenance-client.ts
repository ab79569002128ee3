import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

/** A row's provenance. Refetched when the row changes. */
export const provenanceQuery = (row: ResultRow) =>
  queryOptions({
    queryKey: ["scan-result", row.id, "why", stateOf(row)] as const,
    queryFn: ({ signal }) =>
      request(provenanceSchema, `scan-results/${encodeURIComponent(row.id)}/provenance`, { signal }),
    staleTime: 0,
    // Keep the previous data visible until the new data arrives.
    placeholderData: (before) => (before?.row.id === row.id ? before : undefined),
  });

/** The row fields that invalidate its provenance when they change. */
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
