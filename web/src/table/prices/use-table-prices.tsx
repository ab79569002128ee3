import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { getStatus } from "../../api/status.ts";
import { useGetPrice } from "../../card/prices/use-get-price.ts";
import type { CardDialog } from "../../card/use-card-dialog.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { PriceContext } from "./price-context.ts";

const OfferDialog = lazyPart(async () => (await import("./offers/OfferDialog.tsx")).OfferDialog);

type TablePricesOptions = {
  all: RowsSnapshot;
  session: ScanSession | null;
  onOpen: CardDialog["open"];
};

/** A table's price features: Get Price and the offers. */
export function useTablePrices({ all, session, onOpen }: TablePricesOptions) {
  const hasSources = usePriceSources();
  const { getPrice, fetching } = useGetPrice();
  const [editsOffers, setEditsOffers] = useState(false);
  const [savedOffers, setSavedOffers] = useState<OfferRule | null>(null);

  const offerRule = session?.offerRule ?? null;
  const context = useMemo(
    (): PriceContext => ({
      fetching,
      onGetPrice: hasSources ? getPrice : null,
      onOpenPrices: (row) => onOpen(row, "market"),
      offerRule,
    }),
    [fetching, hasSources, getPrice, onOpen, offerRule],
  );
  return {
    context,
    /** The rule that the user has saved last. */
    savedOffers,
    /** Null without a session. */
    editOffers: session ? () => setEditsOffers(true) : null,
    /** The dialog for offers. */
    overlays: (
      <OnceOpen isOpen={editsOffers}>
        {session && (
          <OfferDialog
            session={session}
            rows={all}
            isOpen={editsOffers}
            onSaved={setSavedOffers}
            onClose={() => setEditsOffers(false)}
          />
        )}
      </OnceOpen>
    ),
  };
}

/** Whether any price source is on. The status is requested elsewhere on the page; this reads the cached response. */
function usePriceSources(): boolean {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: Number.POSITIVE_INFINITY });
  return (status.data?.priceSources.length ?? 0) > 0;
}
