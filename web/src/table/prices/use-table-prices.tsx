import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { getStatus } from "../../api/sources.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { lazyPart, useEver } from "../../ui/lazy-part.tsx";
import type { RowsSnapshot, RowsStore } from "../rows-store.ts";
import type { RowView } from "../use-row-views.ts";
import type { TableOffers } from "./OfferDialog.tsx";
import type { PriceTools } from "./price-tools.ts";
import { useGetPrice } from "./use-get-price.ts";

const PriceDrawer = lazyPart(async () => (await import("./PriceDrawer.tsx")).PriceDrawer);
const OfferDialog = lazyPart(async () => (await import("./OfferDialog.tsx")).OfferDialog);

type TablePrices = {
  tools: PriceTools;
  /** Null if the session's rule is read-only. */
  editOffers: (() => void) | null;
  /** The drawer and the dialog, mounted once opened. */
  overlays: ReactNode;
};

type TablePricesOptions = {
  store: RowsStore;
  all: RowsSnapshot;
  offers: TableOffers | undefined;
  /** Called after a row's price was requested; other rows may have changed too. */
  onAsked: (() => void) | undefined;
  drawer: RowView;
};

/** A table's price features: Get Price, the drawer and the offers. */
export function useTablePrices(options: TablePricesOptions): TablePrices {
  const { store, all, offers, onAsked, drawer } = options;
  const hasSources = usePriceSources();
  const { getPrice, fetching } = useGetPrice(store, onAsked);
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
        {wasOpen && <PriceDrawer view={drawer} tools={tools} />}
        {edited && offers && (
          <OfferDialog offers={offers} rows={all} isOpen={editsOffers} onClose={() => setEditsOffers(false)} />
        )}
      </Suspense>
    ),
  };
}

/** Whether any price source is on. The status is requested elsewhere on the page; this reads the cached response. */
function usePriceSources(): boolean {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: Number.POSITIVE_INFINITY });
  return (status.data?.priceSources.length ?? 0) > 0;
}
