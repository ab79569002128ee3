import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { getStatus } from "../../api/client.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { lazyPart, useEver } from "../../ui/lazy-part.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { RowView } from "../use-row-views.ts";
import type { PriceTools } from "./price-tools.ts";
import { useGetPrice } from "./use-get-price.ts";

const PriceDrawer = lazyPart(async () => (await import("./PriceDrawer.tsx")).PriceDrawer);
const OfferDialog = lazyPart(async () => (await import("./OfferDialog.tsx")).OfferDialog);

type TablePrices = {
  tools: PriceTools;
  /** Null without a session. */
  editOffers: (() => void) | null;
  /** The drawer and the dialog, mounted once opened. */
  overlays: ReactNode;
};

type TablePricesOptions = {
  all: RowsSnapshot;
  session: ScanSession | null;
  drawer: RowView;
};

/** A table's price features: Get Price, the drawer and the offers. */
export function useTablePrices({ all, session, drawer }: TablePricesOptions): TablePrices {
  const hasSources = usePriceSources();
  const { getPrice, fetching } = useGetPrice();
  const [editsOffers, setEditsOffers] = useState(false);
  const wasOpen = useEver(drawer.isOpen);
  const edited = useEver(editsOffers);

  const offerRule = session?.offerRule ?? null;
  const tools = useMemo(
    (): PriceTools => ({ fetching, onGetPrice: hasSources ? getPrice : null, onOpenPrices: drawer.open, offerRule }),
    [fetching, hasSources, getPrice, drawer.open, offerRule],
  );
  return {
    tools,
    editOffers: session ? () => setEditsOffers(true) : null,
    overlays: (
      <Suspense fallback={null}>
        {wasOpen && <PriceDrawer view={drawer} tools={tools} />}
        {edited && session && (
          <OfferDialog session={session} rows={all} isOpen={editsOffers} onClose={() => setEditsOffers(false)} />
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
