import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { metricOf, ruleOfferOf } from "@slabdesk/contract/market/buy-offer.ts";
import { totalsOf } from "@slabdesk/contract/market/totals.ts";
import { Stack, Text } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { RowsSnapshot } from "../../../run/rows-store.ts";
import { formatCount, money } from "../../../ui/format-numbers.ts";
import { cardName } from "../../../card/prices/market-state.ts";
import { ruleOfferDetails } from "../../../card/prices/price-messages.ts";

type OfferPreviewProps = {
  rows: RowsSnapshot;
  /** Null while it is invalid. */
  rule: OfferRule | null;
};

/** The offers of the rule being typed: for one card, and in total. */
export function OfferPreview({ rows, rule }: OfferPreviewProps) {
  const deferred = useDeferredValue(rule);
  return (
    <Stack component="output" gap={2} mih={88} p="10px 14px" bdrs="md" bg="var(--sd-canvas)" fz="sm" lh={1.5}>
      {deferred ? (
        <>
          <Example rows={rows} rule={deferred} />
          <Total rows={rows} rule={deferred} />
        </>
      ) : (
        <Quiet>Fill in the tiers to see what they come to.</Quiet>
      )}
    </Stack>
  );
}

type PartProps = { rows: RowsSnapshot; rule: OfferRule };

function Example({ rows, rule }: PartProps) {
  const example = rows.find((row) => metricOf(rule.metric, row) !== null);
  if (!example) return <Quiet>No card has this price metric yet.</Quiet>;
  const offer = ruleOfferOf(rule, example);
  return (
    <>
      <Text span inherit truncate fw={550}>
        {cardName(example)}
      </Text>
      <span>
        <Strong>{offer === null ? "No offer" : money(offer)}</Strong> <Quiet>{ruleOfferDetails(rule, example)}</Quiet>
      </span>
    </>
  );
}

function Total({ rows, rule }: PartProps) {
  const { offer, count: of } = useMemo(() => totalsOf(rows, rule), [rows, rule]);
  const byHand = useMemo(() => rows.filter(({ ownOffer }) => ownOffer !== null).length, [rows]);
  return (
    <Text span inherit mt={4} pt={6} style={{ borderTop: "1px solid var(--sd-line)" }}>
      All offers <Strong>{money(offer.sum)}</Strong>{" "}
      <Quiet>
        for {formatCount(offer.n)} of {formatCount(of)} cards
        {byHand > 0 && `. ${formatCount(byHand)} entered by hand ${byHand === 1 ? "stays" : "stay"} as entered.`}
      </Quiet>
    </Text>
  );
}

function Strong({ children }: { children: ReactNode }) {
  return (
    <Text component="strong" inherit fw={650}>
      {children}
    </Text>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text span inherit c="var(--sd-neutral)">
      {children}
    </Text>
  );
}
