import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useMemo, useRef } from "react";
import { markReviewed } from "../../api/rows.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowAmendment, RowsSnapshot, RowsStore } from "../../run/rows-store.ts";
import { useAction } from "../../run/use-action.ts";
import { formatCount } from "../../ui/format-numbers.ts";

const TOAST_ID = "reviewed";

export type Reviewed = ReturnType<typeof useReviewed>;

/** One request: its rows as they were before, and the mark that the table shows meanwhile. */
type Marking = { sessionId: string; rows: RowsSnapshot; reviewedAt: string | null };

/** Marks rows reviewed, at once; a refusal takes it back. `onBack` gets the first row of an undone mark. */
export function useReviewed(store: RowsStore, onBack: (row: ResultRow) => void) {
  const last = useRef<RowsSnapshot>([]);
  const latest = useRef<Marking>(null);
  const { run } = useAction({
    send: ({ sessionId, rows, reviewedAt }: Marking) => markReviewed(sessionId, rows.map(idOf), reviewedAt !== null),
    keyOf: everyCall,
    inOrder: true,
    // Only the last response counts; earlier ones are outdated.
    onDone: (saved, marking) => {
      if (marking === latest.current) store.amend(saved.map(markOf));
    },
    onFailed: (_, marking) => takeBack(store, marking),
    failure: () => ({ id: "reviewed-failed", title: "Couldn't save that" }),
  });

  return useMemo(() => {
    const send = (rows: RowsSnapshot, reviewedAt: string | null): void => {
      const [first] = rows;
      if (!first) return;
      store.amend(rows.map(({ id }) => ({ id, reviewedAt })));
      latest.current = { sessionId: first.sessionId, rows, reviewedAt };
      run(latest.current);
    };
    /** Clears the marks of rows. */
    const unmark = (rows: RowsSnapshot): void => {
      last.current = [];
      toast.hide(TOAST_ID);
      send(rows, null);
    };
    /** Undoes the last mark. */
    const undo = (): void => {
      const [first] = last.current;
      if (!first) return;
      const ids = new Set(last.current.map(idOf));
      unmark(store.getSnapshot().filter(({ id }) => ids.has(id)));
      onBack(first);
    };
    /** Marks rows reviewed; the user can undo it. */
    const mark = (rows: RowsSnapshot): void => {
      const [first] = rows;
      if (!first) return;
      last.current = rows;
      send(rows, new Date().toISOString());
      toast.hide(TOAST_ID);
      toast.offer({ id: TOAST_ID, message: markedMessage(rows.length, first), action: { label: "Undo", run: undo } });
    };
    return { mark, unmark, undo };
  }, [store, run, onBack]);
}

const idOf = ({ id }: ResultRow): string => id;
const everyCall = (): null => null;

function markedMessage(count: number, { line }: ResultRow): string {
  return count === 1 ? `Line ${line} looks right` : `${formatCount(count)} rows reviewed`;
}

/** The response's other fields may be older than the row in the table. */
const markOf = ({ id, reviewedAt }: ResultRow): RowAmendment => ({ id, reviewedAt });

/** Restores the previous marks, except where a mark has changed since. */
function takeBack(store: RowsStore, { rows, reviewedAt: shown }: Marking): void {
  const marks = new Map(rows.map((row) => [row.id, markOf(row)]));
  const untouched = store.getSnapshot().filter(({ reviewedAt }) => reviewedAt === shown);
  store.amend(untouched.flatMap(({ id }) => marks.get(id) ?? []));
}
