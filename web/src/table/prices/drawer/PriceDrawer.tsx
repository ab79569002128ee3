import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { money } from "../../../ui/format-numbers.ts";
import { Remark } from "../../row/DrawerParts.tsx";
import { RowDrawer } from "../../row/RowDrawer.tsx";
import type { RowDialog } from "../../use-row-dialogs.ts";
import { offerDetails } from "../price-messages.ts";
import type { PriceContext } from "../price-context.ts";
import { Estimates, MarketMetrics } from "./PriceMetrics.tsx";
import { SalesSection } from "./SalesSection.tsx";

/** A card's prices and their sources. Loaded when first opened. */
export function PriceDrawer({ dialog, context }: { dialog: RowDialog; context: PriceContext }) {
  const { row } = dialog;
  return (
    <RowDrawer dialog={dialog} closeLabel="Close the prices" foot={row && <Foot row={row} context={context} />}>
      {row && (
        <>
          <Estimates row={row} />
          {context.offerRule && <OfferLine row={row} rule={context.offerRule} />}
          {row.pricing && <MarketMetrics row={row} pricing={row.pricing} />}
          {(row.pricing !== null || row.cardsiq !== null) && <SalesSection row={row} />}
        </>
      )}
    </RowDrawer>
  );
}

/** The offer for the card by the session's rule, and the price metric it is based on. */
function OfferLine({ row, rule }: { row: ResultRow; rule: OfferRule }) {
  const offer = offerOf(rule, row);
  return (
    <Group component="p" gap="4px 10px" align="baseline" p="10px 14px" bd="1px solid var(--sd-line)" bdrs="lg">
      <span>Buy offer</span>
      <Text component="strong" fw={650}>
        {offer === null ? "None" : money(offer)}
      </Text>
      <Text span c="dimmed" fz="xs">
        {offerDetails(rule, row)}
      </Text>
    </Group>
  );
}

function Foot({ row, context }: { row: ResultRow; context: PriceContext }) {
  const { onGetPrice } = context;
  // A run or a reprice may have requested the price already.
  const isFetching = context.fetching.has(row.id) || Object.values(row.prices).some(({ state }) => state === "pending");
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

/** When each source was queried. */
function FetchedAt({ row }: { row: ResultRow }) {
  const at = row.pricing?.fetchedAt ?? row.cardsiq?.fetchedAt;
  if (at === undefined) return null;
  return (
    <Remark>
      Fetched <time dateTime={at}>{formatMoment(at)}</time>
      {row.pricingThen && <VisuallyHidden>, first {formatMoment(row.pricingThen.fetchedAt)}</VisuallyHidden>}
    </Remark>
  );
}
