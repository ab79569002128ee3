import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { canEdit, canRetry, isFound } from "@slabdesk/contract/review/row-state.ts";
import { type ReactNode, type RefObject, useCallback, useMemo, useState } from "react";
import type { TableTools } from "./columns/columns.tsx";
import type { ErrorBox } from "./row/row-messages.ts";
import { copyCerts } from "./row/copy-certs.ts";
import { useSwap } from "./images/use-swap.ts";
import { type Reviewed, useReviewed } from "./review/use-reviewed.ts";
import { useReviewTools } from "./review/review-tools.ts";
import type { ReasonsOf } from "./review/use-review-reasons.ts";
import { useTablePrices } from "./prices/use-table-prices.tsx";
import type { RowEditor } from "./grid/ResultsGrid.tsx";
import type { RowsSnapshot, RowsStore } from "../run/rows-store.ts";
import { focusGrid, useRowRepairs } from "./use-row-repairs.tsx";
import { useRowViews } from "./use-row-views.ts";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";
import type { TableView } from "./view/use-table-view.ts";
import { lazyPart, OnceOpen } from "../ui/lazy-part.tsx";

const ImageDialog = lazyPart(async () => (await import("./images/ImageDialog.tsx")).ImageDialog);
const HistoryDrawer = lazyPart(async () => (await import("./history/HistoryDrawer.tsx")).HistoryDrawer);

type RowToolsOptions = {
  store: RowsStore;
  all: RowsSnapshot;
  shown: RowsSnapshot;
  view: TableView;
  panel: RefObject<HTMLElement | null>;
  session: ScanSession | null;
  reasonsOf: ReasonsOf;
  lookups: SessionLookupHistory | null;
  describeError: ((row: ResultRow) => ErrorBox | null) | null;
  onSelect: (id: string, isRange: boolean) => void;
  bringIntoView: (rowId: string) => void;
};

type RowTools = {
  /** What the cells need; stable until a part of it changes. */
  tools: TableTools;
  onRetry: (row: ResultRow) => void;
  onHistory: (row: ResultRow) => void;
  reviewed: Reviewed;
  /** Null without a session. */
  editOffers: (() => void) | null;
  editor: RowEditor | null;
  /** Handles a letter key for the active row; returns false if the key does nothing. */
  onRowKey: (key: string, row: ResultRow) => boolean;
  /** Dialogs and drawers, mounted once opened. */
  overlays: ReactNode;
};

/** All actions on a single row of a table. */
export function useRowTools(options: RowToolsOptions): RowTools {
  const { store, all, shown, view, panel, session, reasonsOf } = options;
  const { lookups, describeError, onSelect, bringIntoView } = options;
  const isRunning = session?.status === "processing";
  const [nowMs] = useState(() => Date.now());
  const views = useRowViews({ all, shown, onActivate: view.setActiveId, panel });
  const { swap: onSwap, swapping } = useSwap();
  const prices = useTablePrices({ all, session, drawer: views.prices });
  const { onEdit, onRetry, editor } = useRowRepairs(view, shown, panel);
  const reviewed = useReviewed(
    store,
    useCallback((row: ResultRow) => bringIntoView(row.id), [bringIntoView]),
  );
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
  const tools = useMemo(
    (): TableTools => ({
      isRunning,
      onOpenImages,
      onSwap,
      onEdit,
      prices: prices.tools,
      review,
      lookups,
      nowMs,
      describeError,
      onSelect,
    }),
    [isRunning, onOpenImages, onSwap, onEdit, prices.tools, review, lookups, nowMs, describeError, onSelect],
  );
  const onRowKey = (key: string, row: ResultRow): boolean => {
    const deeds: Readonly<Record<string, (() => void) | false | null | undefined>> = {
      enter: () => onOpenImages(row),
      " ": () => onOpenImages(row),
      p: isFound(row) && (() => prices.tools.onOpenPrices(row)),
      s: () => onSwap(row),
      w: () => views.history.open(row),
      c: () => void copyCerts([row]),
      r: canRetry(row) && (() => onRetry(row)),
      e: canEdit(row) && (() => onEdit(row)),
      a: review.actionOf(row)?.run,
      l: (row.reviewedAt !== null || reasonsOf(row).length > 0) && (() => review.onMarkReviewed(row)),
      x: () => onSelect(row.id, false),
    };
    const deed = deeds[key.toLowerCase()];
    if (!deed) return false;
    deed();
    return true;
  };
  return {
    tools,
    onRetry,
    onHistory: views.history.open,
    reviewed,
    editOffers: prices.editOffers,
    editor,
    onRowKey,
    overlays: (
      <>
        <OnceOpen isOpen={views.images.isOpen}>
          <ImageDialog view={views.images} onHistory={views.history.open} swap={onSwap} swapping={swapping} />
        </OnceOpen>
        {prices.overlays}
        <OnceOpen isOpen={views.history.isOpen}>
          <HistoryDrawer view={views.history} isRunning={isRunning} />
        </OnceOpen>
      </>
    ),
  };
}
