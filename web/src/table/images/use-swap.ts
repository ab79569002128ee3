import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useRef, useState } from "react";
import { swapImages } from "../../api/photos.ts";
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
 * Swaps front and back of a saved row. A second swap undoes the first. A swap that comes during another of its row waits
 * for it. The table shows the server's saved state.
 */
export function useSwap(rows: RowsStore): Swapping {
  const [swapping, setSwapping] = useState<ReadonlySet<string>>(new Set());
  const last = useRef(new Map<string, Promise<void>>());
  const offers = useRef(new Map<string, string>());

  const exchange = useCallback(
    (row: ResultRow, onSaved: (saved: ResultRow) => void): void => {
      const save = async (): Promise<void> => {
        toast.hide(offers.current.get(row.id) ?? "");
        try {
          const saved = await swapImages(row.id);
          rows.amend([imagesOf(saved)]);
          onSaved(saved);
        } catch (error) {
          toast.error({ id: `swap-${row.id}`, title: "The images were not swapped", message: errorMessage(error) });
        }
      };
      const publish = (): void => setSwapping(new Set(last.current.keys()));
      const saving = (last.current.get(row.id) ?? Promise.resolve()).then(save).finally(() => {
        if (last.current.get(row.id) !== saving) return;
        last.current.delete(row.id);
        publish();
      });
      last.current.set(row.id, saving);
      publish();
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
