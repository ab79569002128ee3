import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { type Total, totalsOf } from "@slabdesk/contract/market/totals.ts";
import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { Margin } from "../../card/prices/estimates.tsx";
import { hasPrice } from "../../card/prices/market-state.ts";
import { useAfterTable } from "../row/use-rested.ts";
import { counted, formatCount, money } from "../../ui/format-numbers.ts";
import styles from "./TotalsBar.module.css";

type TotalsBarProps = {
  all: RowsSnapshot;
  shown: RowsSnapshot;
  selected: RowsSnapshot;
  /** Prices were requested. Reserves space for their totals before the first price arrives. */
  isPriced: boolean;
  offerRule: OfferRule | null;
  onEditOffers: (() => void) | null;
};

/** Totals of the selected rows, or else of the visible ones. They follow the table: 100,000 rows take 20 ms. */
export function TotalsBar({ all, shown, selected, isPriced, offerRule, onEditOffers }: TotalsBarProps) {
  const current = useMemo(() => {
    if (selected.length > 0) return { rows: selected, scope: " selected" };
    return { rows: shown, scope: shown.length < all.length ? " shown" : "" };
  }, [all, shown, selected]);
  const { rows, scope } = useAfterTable(current);
  const rule = useDeferredValue(offerRule);
  const totals = useMemo(() => totalsOf(rows, rule), [rows, rule]);
  const hasPrices = useMemo(() => isPriced || all.some(hasPrice), [isPriced, all]);
  const hasAmounts = useMemo(() => all.some((row) => row.price !== null || hasPrice(row)), [all]);
  if (!hasAmounts) return null;
  const { count, margin } = totals;
  return (
    <Group component="section" className={styles.totals ?? ""} gap="6px 24px" aria-label="Totals">
      <Text inherit style={NO_BREAK}>
        <strong style={{ fontWeight: 650 }}>{formatCount(count)}</strong> {count === 1 ? "card" : "cards"}
        {scope}
      </Text>
      <Group component="dl" gap="6px 24px">
        <Amount label="Cost" total={totals.cost} of={count} />
        {hasPrices && (
          <>
            <Amount label="Estimate" total={totals.estimate} of={count} />
            <Amount label="Median" total={totals.median} of={count} />
            {totals.cardsiq.n > 0 && <Amount label="CardsIQ" total={totals.cardsiq} of={count} />}
            <Amount label="Margin" total={margin} of={count} tooltip={MARGIN_TOOLTIP}>
              <Margin {...margin} />
            </Amount>
          </>
        )}
        {(rule !== null || totals.offer.n > 0) && <Amount label="Offers" total={totals.offer} of={count} />}
      </Group>
      {onEditOffers && (
        <Button size="compact-xs" flex="none" onClick={onEditOffers}>
          {offerRule === null ? "Set buy offers" : "Edit buy offers"}
        </Button>
      )}
    </Group>
  );
}

const MARGIN_TOOLTIP = "CardLadder’s estimate less the cost, of the cards that have both";
const NO_BREAK = { whiteSpace: "nowrap" } as const;

type AmountProps = { label: string; total: Total; of: number; tooltip?: string; children?: ReactNode };

function Amount({ label, total: { sum, n }, of, tooltip, children = money(sum) }: AmountProps) {
  const coverage = n === of ? "(all cards)" : `(${formatCount(n)} of ${counted(of, "card")})`;
  return (
    <div title={tooltip}>
      <Text component="dt" fz="0.6875rem" lh={1.3} c="var(--sd-neutral)">
        {label} <span style={NO_BREAK}>{coverage}</span>
      </Text>
      <Text component="dd" lh={1.3} style={NO_BREAK} {...(n === 0 ? { c: "var(--sd-neutral)" } : { fw: 600 })}>
        {n === 0 ? "–" : children}
      </Text>
    </div>
  );
}
