import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useMemo, useRef } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { markReviewed } from "../../api/rows.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowAmendment, RowsSnapshot, RowsStore } from "../../run/rows-store.ts";
import { formatCount } from "../../ui/format-numbers.ts";

const TOAST_ID = "reviewed";

export type Reviewed = ReturnType<typeof useReviewed>;

/**
 * Marks rows reviewed. The table shows the mark at once and reverts it if the server refuses. `onBack` gets the first
 * row of an undone mark.
 */
export function useReviewed(store: RowsStore, onBack: (row: ResultRow) => void) {
  const last = useRef<RowsSnapshot>([]);
  /** Sends one request at a time, so that a mark and its undo reach the server in order. */
  const sending = useRef({ last: Promise.resolve(), count: 0 });

  const send = useCallback(
    (rows: RowsSnapshot, isReviewed: boolean): void => {
      const [first] = rows;
      if (!first) return;
      const reviewedAt = isReviewed ? new Date().toISOString() : null;
      const ids = rows.map(({ id }) => id);
      store.amend(ids.map((id) => ({ id, reviewedAt })));
      const save = async (): Promise<void> => {
        try {
          const saved = await markReviewed(first.sessionId, ids, isReviewed);
          // Only the last response counts; earlier ones are outdated.
          if (sending.current.count === 1) store.amend(saved.map(markOf));
        } catch (error) {
          takeBack(store, reviewedAt, rows);
          toast.error({ id: "reviewed-failed", title: "That was not saved", message: errorMessage(error) });
        }
        sending.current.count -= 1;
      };
      sending.current.count += 1;
      sending.current.last = sending.current.last.then(save);
    },
    [store],
  );
  /** Clears the marks of rows. */
  const unmark = useCallback(
    (rows: RowsSnapshot): void => {
      last.current = [];
      toast.hide(TOAST_ID);
      send(rows, false);
    },
    [send],
  );
  /** Undoes the last mark; false if there is none. */
  const undo = useCallback((): boolean => {
    const [first] = last.current;
    if (!first) return false;
    const ids = new Set(last.current.map(({ id }) => id));
    unmark(store.getSnapshot().filter(({ id }) => ids.has(id)));
    onBack(first);
    return true;
  }, [store, unmark, onBack]);
  /** Marks rows reviewed; the user can undo it. */
  const mark = useCallback(
    (rows: RowsSnapshot): void => {
      const [first] = rows;
      if (!first) return;
      last.current = rows;
      send(rows, true);
      toast.hide(TOAST_ID);
      toast.offer({ id: TOAST_ID, message: markedMessage(rows.length, first), action: { label: "Undo", run: undo } });
    },
    [send, undo],
  );
  return useMemo(() => ({ mark, unmark, undo }), [mark, unmark, undo]);
}

function markedMessage(count: number, { line }: ResultRow): string {
  return count === 1 ? `Line ${line} looks right` : `${formatCount(count)} rows reviewed`;
}

/** The response's other fields may be older than the row in the table. */
function markOf({ id, reviewedAt }: ResultRow): RowAmendment {
  return { id, reviewedAt };
}

/** Restores the previous marks, except where a mark has changed since. */
function takeBack(store: RowsStore, shown: string | null, before: RowsSnapshot): void {
  const marks = new Map(before.map((row) => [row.id, markOf(row)]));
  const untouched = store.getSnapshot().filter(({ reviewedAt }) => reviewedAt === shown);
  store.amend(untouched.flatMap(({ id }) => marks.get(id) ?? []));
}
