import { rowSalesSchema } from "@slabdesk/contract/api/prices.ts";
import { resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";
import { rowPath } from "./paths.ts";

/** A price look-up goes through the source lanes and queues behind the prices of active runs. */
const PRICE_TIMEOUT_MS = 180_000;

/** Prices a row by every enabled source. @throws ApiError 404 if CardLadder has no price for the card */
export const getPrice = (rowId: string) =>
  request(resultRowSchema, rowPath(rowId, "pricing"), { method: "post", json: {}, timeoutMs: PRICE_TIMEOUT_MS });

/** The sales behind a row's prices. Refetched when the row's prices change. */
export const salesQuery = ({ id, pricing, cardsiq }: Pick<ResultRow, "id" | "pricing" | "cardsiq">) =>
  queryOptions({
    queryKey: ["scan-result", id, "sales", pricing?.fetchedAt ?? null, cardsiq?.fetchedAt ?? null] as const,
    queryFn: ({ signal }) => request(rowSalesSchema, rowPath(id, "sales"), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
