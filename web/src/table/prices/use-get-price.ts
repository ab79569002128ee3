import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useRef, useState } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { ApiError } from "../../api/errors.ts";
import { getPrice } from "../../api/price-client.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowAmendment, RowsStore } from "../rows-store.ts";

/** SPEC section 8: a card without a price is said in the server's words, everything else as a failure. */
export function pricingFailureMessage(error: unknown): string {
  const message = errorMessage(error);
  return error instanceof ApiError && error.status === 404 ? message : `Failed to fetch pricing: ${message}`;
}

/** What Get Price changes about a row. The rest of the answer may be older than the row in the table. */
function pricesOf({ id, pricing, cardsiq, pricingThen, cardsiqThen, prices }: ResultRow): RowAmendment {
  return { id, pricing, cardsiq, pricingThen, cardsiqThen, prices };
}

type GettingPrices = { getPrice: (row: ResultRow) => void; fetching: ReadonlySet<string> };

/**
 * SPEC's Get Price, once at a time for each row. The table shows what the server has saved; `onAsked` looks for what it
 * has written besides: why there is no price, and other rows of the same card.
 */
export function useGetPrice(rows: RowsStore, onAsked: (() => void) | undefined): GettingPrices {
  const [fetching, setFetching] = useState<ReadonlySet<string>>(new Set());
  const underWay = useRef(new Set<string>());
  const get = useCallback(
    (row: ResultRow): void => {
      if (underWay.current.has(row.id)) return;
      const publish = (): void => setFetching(new Set(underWay.current));
      underWay.current.add(row.id);
      publish();
      getPrice(row.id)
        .then(
          // It may take minutes behind a run: the table may show another session by then.
          (saved) => rows.amend([pricesOf(saved)]),
          (error: unknown) =>
            toast.error({
              id: `price-${row.id}`,
              title: row.itemName ?? row.certNumber,
              message: pricingFailureMessage(error),
            }),
        )
        .finally(() => {
          underWay.current.delete(row.id);
          publish();
          onAsked?.();
        });
    },
    [rows, onAsked],
  );
  return { getPrice: get, fetching };
}
