import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { statusQuery } from "../api/status.ts";
import { pricingFailureMessage } from "../card/prices/price-messages.ts";
import { rowActions } from "../card/row-actions.ts";
import { useCardDialog } from "../card/use-card-dialog.ts";
import type { TabName } from "../place/place.ts";
import type { RowsSnapshot, RowsStore } from "../run/rows-store.ts";
import { fetchPrice, swapSides } from "../run/session-requests.ts";
import { useAction } from "../api/use-action.ts";
import { lazyPart, OnceOpen } from "../ui/lazy-part.tsx";
import { useReviewActions, useReviewed } from "./review/use-review-actions.ts";
import type { RowContext } from "./row/row-context.ts";
import { copyCerts } from "./selection/use-selection-actions.ts";
import type { RowSelection } from "./selection/use-selection.ts";
import { focusGrid, idOf, useRowRepairs } from "./use-row-repairs.tsx";
import type { TableControl } from "./filter/use-table-control.ts";
import type { TableRows } from "./use-table-rows.ts";
import { toast } from "../ui/toast.tsx";
import { canSwap } from "../card/row-messages.ts";

const OfferDialog = lazyPart(async () => (await import("./prices/offers/OfferDialog.tsx")).OfferDialog);
const CardView = lazyPart(async () => (await import("../card/CardView.tsx")).CardView);

type RowContextOptions = Pick<RowContext, "lookups" | "describeError"> & {
  tab: TabName;
  selection: RowSelection;
  store: RowsStore;
  table: TableRows;
  control: TableControl;
  panel: RefObject<HTMLElement | null>;
  session: ScanSession | null;
};

/** Everything that a row can do. `onRowKey` handles a letter key for the active row; false if the key does nothing. */
export function useRowContext(options: RowContextOptions) {
  const { tab, store, table, control, panel, session, lookups, describeError, selection } = options;
  const { all, rows: shown, reasonsOf, bringIntoView } = table;
  const { select: onSelect } = selection;
  const isRunning = session?.status === "processing" && !session.isPartial;
  const isReview = control.filter === "needs_review";
  const offerRule = session?.offerRule ?? null;
  const onFocusLost = useCallback(() => focusGrid(panel.current), [panel]);
  const onLeave = useCallback(() => {
    if (panel.current?.contains(document.activeElement)) focusGrid(panel.current);
  }, [panel]);
  const card = useCardDialog({ tab, all, shown, onActivate: control.setActiveId, onFocusLost });
  const { open: onOpen, close } = card;
  const { swap: onSwap, swapping } = useSwap();
  const { getPrice, fetching } = useGetPrice();
  const onGetPrice = usePriceSources() ? getPrice : null;
  const offers = useOffers(all, session);
  const { onEdit, onRetry, editor } = useRowRepairs(control, shown, panel);
  const reviewed = useReviewed(store, bringIntoView);
  const review = useReviewActions({ reasonsOf, reviewed, onEdit, onRetry, onOpen, onGetPrice, onLeave });
  const actions = useMemo(
    () => ({ onSwap, onEdit, onRetry, onOpen, onSelect, onGetPrice, ...review }),
    [onSwap, onEdit, onRetry, onOpen, onSelect, onGetPrice, review],
  );
  const context = useMemo(
    (): RowContext => ({ ...actions, isRunning, isReview, fetching, offerRule, reasonsOf, lookups, describeError }),
    [actions, isRunning, isReview, fetching, offerRule, reasonsOf, lookups, describeError],
  );
  const editNumber = (row: ResultRow): void => {
    if (card.row !== null) close();
    onEdit(row);
  };
  const onRowKey = (key: string, row: ResultRow): boolean => {
    const deeds: Readonly<Record<string, (() => void) | false | null | undefined>> = {
      enter: () => onOpen(row),
      " ": () => onOpen(row, "photos"),
      p: isFound(row) && (() => onOpen(row, "market")),
      s: () => onSwap(row),
      w: () => onOpen(row, "history"),
      c: () => void copyCerts([row]),
      a: review.actionOf(row)?.run,
      x: () => onSelect(row.id, false),
    };
    const action = rowActions(row, { ...context, onEdit: editNumber }).find((one) => one.key === key.toUpperCase());
    const deed = deeds[key.toLowerCase()] ?? action?.run;
    if (!deed) return false;
    deed();
    return true;
  };
  const cardActions = { ...context, onEdit: editNumber, swapping, onEditOffers: offers.edit, onRowKey };
  const overlays = (
    <>
      {offers.dialog}
      <OnceOpen isOpen={card.row !== null}>
        <CardView dialog={card} shown={shown} actions={cardActions} />
      </OnceOpen>
    </>
  );
  return { context, reviewed, offers, editor, onRowKey, overlays };
}

/** Fetches a row's price, one request at a time per row. The table shows the server's saved state. */
function useGetPrice() {
  const { run, pending } = useAction({
    send: fetchPrice,
    failure: (row, error) => ({
      id: `price-${row.id}`,
      title: row.itemName ?? row.certNumber,
      message: pricingFailureMessage(error),
    }),
    keyOf: idOf,
  });
  return { getPrice: run, fetching: useMemo(() => new Set(pending.map(idOf)), [pending]) };
}

/** Whether any price source is on. The status is requested elsewhere on the page; this reads the cached response. */
function usePriceSources(): boolean {
  const status = useQuery({ ...statusQuery, staleTime: Number.POSITIVE_INFINITY });
  return (status.data?.priceSources.length ?? 0) > 0;
}

/** The dialog for a session's offers. `edit` opens it, null without a session; `saved` is the rule saved last. */
function useOffers(all: RowsSnapshot, session: ScanSession | null) {
  const [isOpen, setIsOpen] = useState(false);
  const [saved, setSaved] = useState<OfferRule | null>(null);
  const dialog = (
    <OnceOpen isOpen={isOpen}>
      {session && (
        <OfferDialog session={session} rows={all} isOpen={isOpen} onSaved={setSaved} onClose={() => setIsOpen(false)} />
      )}
    </OnceOpen>
  );
  return { edit: session ? () => setIsOpen(true) : null, saved, dialog };
}

/** Swaps front and back of a saved row. A swap waits for an earlier one of its row only, and undoes it. */
function useSwap() {
  const last = useRef(new Map<string, Promise<void>>());
  const offers = useRef(new Map<string, string>());
  const { run, pending } = useAction<{ row: ResultRow; onSaved: (saved: ResultRow) => void }>({
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
