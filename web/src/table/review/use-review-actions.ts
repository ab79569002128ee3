import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import { useMemo, useRef } from "react";
import { markReviewed } from "../../api/rows.ts";
import type { CardDialog } from "../../card/use-card-dialog.ts";
import type { RowAmendment, RowsSnapshot, RowsStore } from "../../run/rows-store.ts";
import { useAction } from "../../api/use-action.ts";
import { formatCount } from "../../ui/format-numbers.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowContext } from "../row/row-context.ts";
import { idOf } from "../use-row-repairs.tsx";
import type { ReasonsOf } from "./use-review-reasons.ts";

const ACTION_LABELS: Record<ReviewAction, string> = {
  edit_number: "Edit number",
  retry: "Retry",
  get_price: "Get price",
  open_prices: "See prices",
  add_photo: "Add photo",
  open_images: "See images",
  looks_right: "Looks right",
};

type Handler = (row: ResultRow) => void;

type ReviewActionsOptions = {
  reasonsOf: ReasonsOf;
  reviewed: Reviewed;
  onEdit: Handler;
  onRetry: Handler;
  onOpen: CardDialog["open"];
  onGetPrice: Handler | null;
  /** Called before the active row and its focused button disappear, so that the grid takes the focus. */
  onLeave: () => void;
};

export function useReviewActions(options: ReviewActionsOptions): Pick<RowContext, "onMarkReviewed" | "actionOf"> {
  const { reasonsOf, reviewed, onEdit, onRetry, onOpen, onGetPrice, onLeave } = options;
  return useMemo(() => {
    const leaving = (handler: Handler) => (row: ResultRow) => {
      onLeave();
      handler(row);
    };
    const onMarkReviewed = leaving((row) => {
      if (row.reviewedAt !== null) reviewed.unmark([row]);
      else if (reasonsOf(row).length > 0) reviewed.mark([row]);
    });
    const handlers: Record<ReviewAction, Handler | null> = {
      edit_number: onEdit,
      retry: leaving(onRetry),
      get_price: onGetPrice && leaving(onGetPrice),
      open_prices: (row) => onOpen(row, "market"),
      add_photo: (row) => onOpen(row, "photos"),
      open_images: (row) => onOpen(row, "photos"),
      looks_right: onMarkReviewed,
    };
    return {
      onMarkReviewed,
      actionOf: (row) => {
        const name = reasonsOf(row)[0]?.action;
        const handler = name && handlers[name];
        return handler ? { name, label: ACTION_LABELS[name], run: () => handler(row) } : null;
      },
    };
  }, [reasonsOf, reviewed, onEdit, onRetry, onOpen, onGetPrice, onLeave]);
}

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
    const unmark = (rows: RowsSnapshot): void => {
      last.current = [];
      toast.hide(TOAST_ID);
      send(rows, null);
    };
    const undo = (): void => {
      const [first] = last.current;
      if (!first) return;
      const ids = new Set(last.current.map(idOf));
      unmark(store.getSnapshot().filter(({ id }) => ids.has(id)));
      onBack(first);
    };
    const mark = (rows: RowsSnapshot): void => {
      const [first] = rows;
      if (!first) return;
      last.current = rows;
      send(rows, new Date().toISOString());
      toast.hide(TOAST_ID);
      const message =
        rows.length === 1 ? `Line ${first.line} looks right` : `${formatCount(rows.length)} rows reviewed`;
      toast.offer({ id: TOAST_ID, message, action: { label: "Undo", run: undo } });
    };
    return { mark, unmark, undo };
  }, [store, run, onBack]);
}

/** The response's other fields may be older than the row in the table. */
const markOf = ({ id, reviewedAt }: ResultRow): RowAmendment => ({ id, reviewedAt });

/** Restores the previous marks, except where a mark has changed since. */
function takeBack(store: RowsStore, { rows, reviewedAt: shown }: Marking): void {
  const marks = new Map(rows.map((row) => [row.id, markOf(row)]));
  const untouched = store.getSnapshot().filter(({ reviewedAt }) => reviewedAt === shown);
  store.amend(untouched.flatMap(({ id }) => marks.get(id) ?? []));
}
