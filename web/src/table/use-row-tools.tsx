import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { canEdit, canEnter, canRetry, isByHand, isFound } from "@slabdesk/contract/review/row-state.ts";
import { type RefObject, useCallback, useMemo } from "react";
import type { TableTools } from "./row/table-tools.ts";
import { copyCerts } from "./row/copy-certs.ts";
import { useSwap } from "./images/use-swap.ts";
import { useReviewed } from "./review/use-reviewed.ts";
import { useReviewTools } from "./review/review-tools.ts";
import { useTablePrices } from "./prices/use-table-prices.tsx";
import type { RowsStore } from "../run/rows-store.ts";
import { focusGrid, useRowRepairs } from "./use-row-repairs.tsx";
import { useRowViews } from "./use-row-views.ts";
import type { TableRows } from "./view/use-table-rows.ts";
import type { TableView } from "./view/use-table-view.ts";
import { lazyPart, OnceOpen } from "../ui/lazy-part.tsx";

const ImageDialog = lazyPart(async () => (await import("./images/ImageDialog.tsx")).ImageDialog);
const HistoryDrawer = lazyPart(async () => (await import("./history/HistoryDrawer.tsx")).HistoryDrawer);
const EntryDrawer = lazyPart(async () => (await import("./entry/EntryDrawer.tsx")).EntryDrawer);

type RowToolsOptions = Pick<TableTools, "lookups" | "describeError" | "onSelect"> & {
  store: RowsStore;
  table: TableRows;
  view: TableView;
  panel: RefObject<HTMLElement | null>;
  session: ScanSession | null;
};

/**
 * All actions on a single row of a table. `tools` is what the rows need, `editor` the form of the row being edited,
 * `overlays` the dialogs and drawers. `onRowKey` handles a letter key for the active row; it returns false if the key
 * does nothing.
 */
export function useRowTools(options: RowToolsOptions) {
  const { store, table, view, panel, session, lookups, describeError, onSelect } = options;
  const { all, rows: shown, reasonsOf, bringIntoView } = table;
  const isRunning = session?.status === "processing";
  const views = useRowViews({ all, shown, onActivate: view.setActiveId, panel });
  const { swap: onSwap, swapping } = useSwap();
  const prices = useTablePrices({ all, session, drawer: views.prices });
  const { onEdit, onRetry, editor } = useRowRepairs(view, shown, panel);
  const reviewed = useReviewed(store, bringIntoView);
  const review = useReviewTools({
    isOn: view.filter === "needs_review",
    reasonsOf,
    reviewed,
    onEdit,
    onRetry,
    onOpenImages: views.images.open,
    prices: prices.tools,
    onLeave: useCallback(() => focusGrid(panel.current), [panel]),
  });
  const onOpenImages = views.images.open;
  const onHistory = views.history.open;
  const onEnter = views.entry.open;
  const repairs = useMemo(() => ({ onEdit, onEnter, onRetry, onHistory }), [onEdit, onEnter, onRetry, onHistory]);
  const cells = useMemo(() => ({ lookups, describeError, onSelect }), [lookups, describeError, onSelect]);
  const tools = useMemo(
    (): TableTools => ({ isRunning, onOpenImages, onSwap, prices: prices.tools, review, ...repairs, ...cells }),
    [isRunning, onOpenImages, onSwap, prices.tools, review, repairs, cells],
  );
  const onRowKey = (key: string, row: ResultRow): boolean => {
    const deeds: Readonly<Record<string, (() => void) | false | null | undefined>> = {
      enter: () => onOpenImages(row),
      " ": () => onOpenImages(row),
      p: isFound(row) && (() => prices.tools.onOpenPrices(row)),
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
      <OnceOpen isOpen={views.images.isOpen}>
        <ImageDialog view={views.images} onHistory={onHistory} swap={onSwap} swapping={swapping} />
      </OnceOpen>
      {prices.overlays}
      <OnceOpen isOpen={views.history.isOpen}>
        <HistoryDrawer view={views.history} isRunning={isRunning} />
      </OnceOpen>
      <OnceOpen isOpen={views.entry.isOpen}>
        <EntryDrawer view={views.entry} shown={shown} onRetry={onRetry} />
      </OnceOpen>
    </>
  );
  return { tools, reviewed, editOffers: prices.editOffers, editor, onRowKey, overlays };
}
