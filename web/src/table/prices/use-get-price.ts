import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useRef, useState } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { ApiError } from "../../api/errors.ts";
import { getPrice } from "../../api/prices.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowAmendment, RowsStore } from "../rows-store.ts";

/**
 * Shows the server's message if the card has no price, and a failure otherwise (docs/conformance.md, 8-19 and 8-20).
 */
export function pricingFailureMessage(error: unknown): string {
  const message = errorMessage(error);
  return error instanceof ApiError && error.status === 404 ? message : `Failed to fetch pricing: ${message}`;
}

/** The fields that Get Price changes. The response's other fields may be older than the row in the table. */
function pricesOf({ id, pricing, cardsiq, pricingThen, cardsiqThen, prices }: ResultRow): RowAmendment {
  return { id, pricing, cardsiq, pricingThen, cardsiqThen, prices };
}

type GettingPrices = { getPrice: (row: ResultRow) => void; fetching: ReadonlySet<string> };

/**
 * Fetches a row's price, one request at a time per row. The table shows the server's saved state. `onAsked` refreshes
 * what else changed: the reason for a missing price, and other rows of the same card.
 */
export function useGetPrice(rows: RowsStore, onAsked: (() => void) | undefined): GettingPrices {
  const [fetching, setFetching] = useState<ReadonlySet<string>>(new Set());
  const inProgress = useRef(new Set<string>());
  const get = useCallback(
    (row: ResultRow): void => {
      if (inProgress.current.has(row.id)) return;
      const publish = (): void => setFetching(new Set(inProgress.current));
      inProgress.current.add(row.id);
      publish();
      getPrice(row.id)
        .then(
          // During a run this can take minutes, so the table may show another session by then.
          (saved) => rows.amend([pricesOf(saved)]),
          (error: unknown) =>
            toast.error({
              id: `price-${row.id}`,
              title: row.itemName ?? row.certNumber,
              message: pricingFailureMessage(error),
            }),
        )
        .finally(() => {
          inProgress.current.delete(row.id);
          publish();
          onAsked?.();
        });
    },
    [rows, onAsked],
  );
  return { getPrice: get, fetching };
}
