import { type OfferRule, rowSalesSchema } from "@slabdesk/contract/api/prices.ts";
import { resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

/** A price goes through the sources' lanes, behind the prices of runs that are under way. */
const PRICE_TIMEOUT_MS = 180_000;

/**
 * Get Price: asks every price source that is on and answers the row with what they said.
 * @throws ApiError 404 with SPEC's words when CardLadder has no price for the card.
 */
export function getPrice(rowId: string): Promise<ResultRow> {
  return request(resultRowSchema, `scan-results/${encodeURIComponent(rowId)}/pricing`, {
    method: "post",
    json: {},
    timeout: PRICE_TIMEOUT_MS,
  });
}

/** The sales behind a row's prices; asked for anew when its prices were. */
export const salesQuery = ({ id, pricing, cardsiq }: Pick<ResultRow, "id" | "pricing" | "cardsiq">) =>
  queryOptions({
    queryKey: ["scan-result", id, "sales", pricing?.fetchedAt ?? null, cardsiq?.fetchedAt ?? null] as const,
    queryFn: ({ signal }) => request(rowSalesSchema, `scan-results/${encodeURIComponent(id)}/sales`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Sets what is offered for the cards of a session, or takes the rule away. */
export function changeOfferRule(sessionId: string, offerRule: OfferRule | null): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}`, {
    method: "patch",
    json: { offerRule },
  });
}
