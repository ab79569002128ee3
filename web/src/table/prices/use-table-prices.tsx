import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactNode, type RefObject, Suspense, useMemo, useState } from "react";
import { getStatus } from "../../api/client.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowsSnapshot, RowsStore } from "../rows-store.ts";
import type { OfferDialogProps, TableOffers } from "./OfferDialog.tsx";
import type { PriceDrawerProps } from "./PriceDrawer.tsx";
import type { PriceTools } from "./price-tools.ts";
import { useGetPrice } from "./use-get-price.ts";
import { usePriceDrawer } from "./use-price-drawer.ts";

/** Loaded when first opened. One that cannot be loaded is said; the page around it stays as it is. */
const PriceDrawer = lazy(async (): Promise<{ default: ComponentType<PriceDrawerProps> }> => {
  const part = await import("./PriceDrawer.tsx").catch(notLoaded);
  return { default: part?.PriceDrawer ?? Nothing };
});
const OfferDialog = lazy(async (): Promise<{ default: ComponentType<OfferDialogProps> }> => {
  const part = await import("./OfferDialog.tsx").catch(notLoaded);
  return { default: part?.OfferDialog ?? Nothing };
});

function notLoaded(): null {
  toast.error({
    id: "part-not-loaded",
    message: "This part of the page could not be loaded. Check the connection and reload the page.",
  });
  return null;
}

function Nothing(): null {
  return null;
}

type TablePrices = {
  tools: PriceTools;
  /** Null where the session's rule cannot be changed. */
  editOffers: (() => void) | null;
  /** The drawer and the dialog, once they were opened. */
  overlays: ReactNode;
};

type TablePricesOptions = {
  store: RowsStore;
  all: RowsSnapshot;
  shown: RowsSnapshot;
  offers: TableOffers | undefined;
  onActivate: (id: string) => void;
  /** The price of a row was asked for; other rows may have changed with it. */
  onAsked: (() => void) | undefined;
  panel: RefObject<HTMLElement | null>;
};

/** Everything about prices that a table does: Get Price, the drawer, the offers. */
export function useTablePrices(options: TablePricesOptions): TablePrices {
  const { store, all, shown, offers, onActivate, onAsked, panel } = options;
  const hasSources = usePriceSources();
  const { getPrice, fetching } = useGetPrice(store, onAsked);
  const drawer = usePriceDrawer(all, shown, onActivate, panel);
  const [editsOffers, setEditsOffers] = useState(false);
  const wasOpen = useEver(drawer.isOpen);
  const edited = useEver(editsOffers);

  const offerRule = offers?.rule ?? null;
  const tools = useMemo(
    (): PriceTools => ({ fetching, onGetPrice: hasSources ? getPrice : null, onOpenPrices: drawer.open, offerRule }),
    [fetching, hasSources, getPrice, drawer.open, offerRule],
  );
  return {
    tools,
    editOffers: offers ? () => setEditsOffers(true) : null,
    overlays: (
      <Suspense fallback={null}>
        {wasOpen && (
          <PriceDrawer
            row={drawer.row}
            tools={tools}
            onClose={drawer.close}
            onPrevious={drawer.onPrevious}
            onNext={drawer.onNext}
          />
        )}
        {edited && offers && (
          <OfferDialog offers={offers} rows={all} isOpen={editsOffers} onClose={() => setEditsOffers(false)} />
        )}
      </Suspense>
    ),
  };
}

/** Whether any price source is on. The page asks for the status anyway; this only reads the answer. */
function usePriceSources(): boolean {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: Number.POSITIVE_INFINITY });
  return (status.data?.priceSources.length ?? 0) > 0;
}

/** Whether something has been so at any time: what was loaded for it stays, so that it can close in its own time. */
function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return was;
}
