import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useRef, useState } from "react";
import { swapImages } from "../api/client.ts";
import { errorWords } from "../api/error-words.ts";
import { toast } from "../ui/toast.tsx";
import type { RowsStore } from "./rows-store.ts";

/** Exchanges front and back of a saved row, once at a time: two swaps are none. The table shows what the server has saved. */
export function useSwap(rows: RowsStore): { swap: (row: ResultRow) => void; swappingId: string | null } {
  const [swappingId, setSwappingId] = useState<string | null>(null);
  const underWay = useRef(new Set<string>());
  const swap = useCallback(
    (row: ResultRow): void => {
      if (underWay.current.has(row.id)) return;
      underWay.current.add(row.id);
      setSwappingId(row.id);
      swapImages(row.id)
        .then(
          (saved) => rows.applyChanges([saved]),
          (error: unknown) =>
            toast.error({ id: `swap-${row.id}`, title: "The images were not swapped", message: errorWords(error) }),
        )
        .finally(() => {
          underWay.current.delete(row.id);
          setSwappingId(null);
        });
    },
    [rows],
  );
  return { swap, swappingId };
}
