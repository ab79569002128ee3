import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { getStatus } from "../../api/sources.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { RowDialog } from "../use-row-dialogs.ts";
import type { PriceContext } from "./price-context.ts";
import { useGetPrice } from "./use-get-price.ts";

const PriceDrawer = lazyPart(async () => (await import("./drawer/PriceDrawer.tsx")).PriceDrawer);
const OfferDialog = lazyPart(async () => (await import("./offers/OfferDialog.tsx")).OfferDialog);

type TablePricesOptions = {
  all: RowsSnapshot;
  session: ScanSession | null;
  dialog: RowDialog;
};

/** A table's price features: Get Price, the dialog and the offers. */
export function useTablePrices({ all, session, dialog }: TablePricesOptions) {
  const hasSources = usePriceSources();
  const { getPrice, fetching } = useGetPrice();
  const [editsOffers, setEditsOffers] = useState(false);

  const offerRule = session?.offerRule ?? null;
  const context = useMemo(
    (): PriceContext => ({ fetching, onGetPrice: hasSources ? getPrice : null, onOpenPrices: dialog.open, offerRule }),
    [fetching, hasSources, getPrice, dialog.open, offerRule],
  );
  return {
    context,
    /** Null without a session. */
    editOffers: session ? () => setEditsOffers(true) : null,
    /** The dialogs for prices and offers. */
    overlays: (
      <>
        <OnceOpen isOpen={dialog.isOpen}>
          <PriceDrawer dialog={dialog} context={context} />
        </OnceOpen>
        <OnceOpen isOpen={editsOffers}>
          {session && (
            <OfferDialog session={session} rows={all} isOpen={editsOffers} onClose={() => setEditsOffers(false)} />
          )}
        </OnceOpen>
      </>
    ),
  };
}

/** Whether any price source is on. The status is requested elsewhere on the page; this reads the cached response. */
function usePriceSources(): boolean {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: Number.POSITIVE_INFINITY });
  return (status.data?.priceSources.length ?? 0) > 0;
}
