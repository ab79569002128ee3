import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useRef, useState } from "react";
import { swapImages } from "../../api/client.ts";
import { errorMessage } from "../../api/error-messages.ts";
import { toast } from "../../ui/toast.tsx";
import { canSwap } from "../row-messages.ts";
import type { RowsStore } from "../rows-store.ts";
import { imagesOf } from "./images-of-row.ts";

type Swapping = {
  /** Does nothing if the row's sides can't be swapped. */
  swap: (row: ResultRow) => void;
  swapping: ReadonlySet<string>;
};

/**
 * Swaps front and back of a saved row, one request at a time per row. A second swap undoes the first. The table shows
 * the server's saved state.
 */
export function useSwap(rows: RowsStore): Swapping {
  const [swapping, setSwapping] = useState<ReadonlySet<string>>(new Set());
  const inProgress = useRef(new Set<string>());
  const offers = useRef(new Map<string, string>());

  const exchange = useCallback(
    (row: ResultRow, onSaved: (saved: ResultRow) => void): void => {
      if (inProgress.current.has(row.id)) return;
      const publish = (): void => setSwapping(new Set(inProgress.current));
      inProgress.current.add(row.id);
      publish();
      toast.hide(offers.current.get(row.id) ?? "");
      swapImages(row.id)
        .then(
          (saved) => {
            rows.amend([imagesOf(saved)]);
            onSaved(saved);
          },
          (error: unknown) =>
            toast.error({ id: `swap-${row.id}`, title: "The images were not swapped", message: errorMessage(error) }),
        )
        .finally(() => {
          inProgress.current.delete(row.id);
          publish();
        });
    },
    [rows],
  );
  const swap = useCallback(
    (row: ResultRow): void => {
      if (!canSwap(row)) return;
      exchange(row, (saved) => {
        const id = `swapped-${row.id}-${performance.now()}`;
        offers.current.set(row.id, id);
        const undo = (): void =>
          exchange(saved, () => toast.done({ id: `${id}-back`, message: "Front and back are as they were" }));
        toast.offer({ id, message: "Front and back swapped", action: { label: "Undo", run: undo } });
      });
    },
    [exchange],
  );
  return { swap, swapping };
}
