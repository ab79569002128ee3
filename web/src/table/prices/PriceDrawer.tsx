import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button } from "@mantine/core";
import { RowDrawer } from "../row/RowDrawer.tsx";
import type { RowView } from "../use-row-views.ts";
import { Estimates, FetchedAt, MarketMetrics } from "./PriceMetrics.tsx";
import { OfferLine } from "./OfferLine.tsx";
import type { PriceTools } from "./price-tools.ts";
import { SalesSection } from "./SalesSection.tsx";

/** A card's prices and their sources. Loaded when first opened. */
export function PriceDrawer({ view, tools }: { view: RowView; tools: PriceTools }) {
  const { row } = view;
  return (
    <RowDrawer view={view} closeLabel="Close the prices" foot={row && <Foot row={row} tools={tools} />}>
      {row && (
        <>
          <Estimates row={row} />
          {tools.offerRule && <OfferLine row={row} rule={tools.offerRule} />}
          {row.pricing && <MarketMetrics row={row} pricing={row.pricing} />}
          {(row.pricing !== null || row.cardsiq !== null) && <SalesSection row={row} />}
        </>
      )}
    </RowDrawer>
  );
}

function Foot({ row, tools }: { row: ResultRow; tools: PriceTools }) {
  const { onGetPrice } = tools;
  const isFetching = tools.fetching.has(row.id) || isPending(row);
  const hasPrice = row.pricing !== null || row.cardsiq !== null;
  return (
    <>
      <FetchedAt row={row} />
      {onGetPrice && (
        <Button size="xs" aria-disabled={isFetching} onClick={isFetching ? undefined : () => onGetPrice(row)}>
          {isFetching ? "Loading..." : hasPrice ? "Fetch again" : "Get Price"}
        </Button>
      )}
    </>
  );
}

/** True if a run or a reprice has already requested the price. */
function isPending({ prices }: ResultRow): boolean {
  return prices.cardladder.state === "pending" || prices.cardsiq.state === "pending";
}
