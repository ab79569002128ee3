import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { canEdit, canEnter, canRetry, isByHand, isFound } from "@slabdesk/contract/review/row-state.ts";
import { type RefObject, useCallback, useMemo } from "react";
import type { RowContext } from "./row/row-context.ts";
import { copyCerts } from "./row/copy-certs.ts";
import type { RowSelection } from "./selection/use-selection.ts";
import { useSwap } from "./images/use-swap.ts";
import { useReviewed } from "./review/use-reviewed.ts";
import { useReviewContext } from "./review/use-review-context.ts";
import { useTablePrices } from "./prices/use-table-prices.tsx";
import type { RowsStore } from "../run/rows-store.ts";
import { focusGrid, useRowRepairs } from "./use-row-repairs.tsx";
import { useRowDialogs } from "./use-row-dialogs.ts";
import type { TableRows } from "./view/use-table-rows.ts";
import type { TableControl } from "./view/use-table-control.ts";
import { lazyPart, OnceOpen } from "../ui/lazy-part.tsx";

const ImageDialog = lazyPart(async () => (await import("./images/ImageDialog.tsx")).ImageDialog);
const HistoryDrawer = lazyPart(async () => (await import("./history/HistoryDrawer.tsx")).HistoryDrawer);
const EntryDrawer = lazyPart(async () => (await import("./entry/EntryDrawer.tsx")).EntryDrawer);

type RowContextOptions = Pick<RowContext, "lookups" | "describeError"> & {
  selection: RowSelection;
  store: RowsStore;
  table: TableRows;
  control: TableControl;
  panel: RefObject<HTMLElement | null>;
  session: ScanSession | null;
};

/**
 * All actions on a single row of a table. `context` is what the rows need, `editor` the form of the row being edited,
 * `overlays` the dialogs and drawers. `onRowKey` handles a letter key for the active row; it returns false if the key
 * does nothing.
 */
export function useRowContext(options: RowContextOptions) {
  const { store, table, control, panel, session, lookups, describeError, selection } = options;
  const { all, rows: shown, reasonsOf, bringIntoView } = table;
  const { select: onSelect } = selection;
  const isRunning = session?.status === "processing";
  const dialogs = useRowDialogs({ all, shown, onActivate: control.setActiveId, panel });
  const { swap: onSwap, swapping } = useSwap();
  const prices = useTablePrices({ all, session, dialog: dialogs.prices });
  const { onEdit, onRetry, editor } = useRowRepairs(control, shown, panel);
  const reviewed = useReviewed(store, bringIntoView);
  const review = useReviewContext({
    isOn: control.filter === "needs_review",
    reasonsOf,
    reviewed,
    onEdit,
    onRetry,
    onOpenImages: dialogs.images.open,
    prices: prices.context,
    onLeave: useCallback(() => focusGrid(panel.current), [panel]),
  });
  const onOpenImages = dialogs.images.open;
  const onHistory = dialogs.history.open;
  const onEnter = dialogs.entry.open;
  const repairs = useMemo(() => ({ onEdit, onEnter, onRetry, onHistory }), [onEdit, onEnter, onRetry, onHistory]);
  const cells = useMemo(() => ({ lookups, describeError, onSelect }), [lookups, describeError, onSelect]);
  const context = useMemo(
    (): RowContext => ({ isRunning, onOpenImages, onSwap, prices: prices.context, review, ...repairs, ...cells }),
    [isRunning, onOpenImages, onSwap, prices.context, review, repairs, cells],
  );
  const onRowKey = (key: string, row: ResultRow): boolean => {
    const deeds: Readonly<Record<string, (() => void) | false | null | undefined>> = {
      enter: () => onOpenImages(row),
      " ": () => onOpenImages(row),
      p: isFound(row) && (() => prices.context.onOpenPrices(row)),
      s: () => onSwap(row),
      w: () => onHistory(row),
      c: () => void copyCerts([row]),
      r: (canRetry(row) || isByHand(row)) && (() => onRetry(row)),
      e: canEdit(row) && (() => onEdit(row)),
      h: canEnter(row) && (() => onEnter(row)),
      a: review.actionOf(row)?.run,
      l: (row.reviewedAt !== null || reasonsOf(row).length > 0) && (() => review.onMarkReviewed(row)),
      x: () => onSelect(row.id, false),
    };
    const deed = deeds[key.toLowerCase()];
    if (!deed) return false;
    deed();
    return true;
  };
  const overlays = (
    <>
      <OnceOpen isOpen={dialogs.images.isOpen}>
        <ImageDialog dialog={dialogs.images} onHistory={onHistory} swap={onSwap} swapping={swapping} />
      </OnceOpen>
      {prices.overlays}
      <OnceOpen isOpen={dialogs.history.isOpen}>
        <HistoryDrawer dialog={dialogs.history} isRunning={isRunning} />
      </OnceOpen>
      <OnceOpen isOpen={dialogs.entry.isOpen}>
        <EntryDrawer dialog={dialogs.entry} shown={shown} onRetry={onRetry} />
      </OnceOpen>
    </>
  );
  return { context, reviewed, editOffers: prices.editOffers, editor, onRowKey, overlays };
}
