import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useMemo } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { ApiError } from "../../api/errors.ts";
import { fetchPrice } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";

/** The server's message if the card has no price, else a failure (docs/conformance.md, 8-19 and 8-20). */
export function pricingFailureMessage(error: unknown): string {
  const message = errorMessage(error);
  return error instanceof ApiError && error.status === 404 ? message : `Failed to fetch pricing: ${message}`;
}

const idOf = ({ id }: ResultRow): string => id;

/** Fetches a row's price, one request at a time per row. The table shows the server's saved state. */
export function useGetPrice() {
  const { run, pending } = useAction({
    send: fetchPrice,
    failure: (row, error) => ({
      id: `price-${row.id}`,
      title: row.itemName ?? row.certNumber,
      message: pricingFailureMessage(error),
    }),
    keyOf: idOf,
  });
  return { getPrice: run, fetching: useMemo(() => new Set(pending.map(idOf)), [pending]) };
}
