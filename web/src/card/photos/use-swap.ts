import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useMemo, useRef } from "react";
import { swapSides } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { toast } from "../../ui/toast.tsx";
import { canSwap } from "../row-messages.ts";

type Swap = { row: ResultRow; onSaved: (saved: ResultRow) => void };

/**
 * Swaps front and back of a saved row. A second swap undoes the first. A swap that comes during another of its row waits
 * for it. The table shows the server's saved state.
 */
export function useSwap() {
  const last = useRef(new Map<string, Promise<void>>());
  const offers = useRef(new Map<string, string>());

  const { run, pending } = useAction<Swap>({
    send: ({ row, onSaved }) => {
      const save = async (): Promise<void> => {
        toast.hide(offers.current.get(row.id) ?? "");
        onSaved(await swapSides(row));
      };
      const saving = (last.current.get(row.id) ?? Promise.resolve()).then(save, save);
      last.current.set(row.id, saving);
      return saving;
    },
    failure: ({ row }) => ({ id: `swap-${row.id}`, title: "Couldn't swap the images" }),
    keyOf: null,
  });
  /** Does nothing if the row's sides can't be swapped. */
  const swap = useCallback(
    (row: ResultRow): void => {
      if (!canSwap(row)) return;
      const onSaved = (saved: ResultRow): void => {
        const id = `swapped-${row.id}-${performance.now()}`;
        offers.current.set(row.id, id);
        const undone = (): void => toast.done({ id: `${id}-back`, message: "Front and back are as they were" });
        const undo = (): void => run({ row: saved, onSaved: undone });
        toast.offer({ id, message: "Front and back swapped", action: { label: "Undo", run: undo } });
      };
      run({ row, onSaved });
    },
    [run],
  );
  /** Rows with a swap in progress. */
  const swapping = useMemo(() => new Set(pending.map(({ row }) => row.id)), [pending]);
  return { swap, swapping };
}
