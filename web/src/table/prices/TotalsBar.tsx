import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type Totals, totalsOf } from "@slabdesk/contract/market/totals.ts";
import { Button } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { count, formatPercent } from "./price-messages.ts";
import { money } from "../../ui/format-money.ts";
import styles from "./TotalsBar.module.css";

type TotalsBarProps = {
  /** All rows of the session, and the visible subset. */
  all: RowsSnapshot;
  shown: RowsSnapshot;
  /** Prices were requested. Reserves space for their totals before the first price arrives. */
  isPriced: boolean;
  offerRule: OfferRule | null;
  /** Null if the rule is read-only. */
  onEditOffers: (() => void) | null;
};

/**
 * Totals of the visible rows: cost, estimate, median, margin and offers, each with its number of cards. Hidden while no
 * row has any price. Adding up 100,000 rows takes 20 ms, so it runs after the table is drawn.
 */
export function TotalsBar({ all, shown, isPriced, offerRule, onEditOffers }: TotalsBarProps) {
  const rows = useDeferredValue(shown);
  const rule = useDeferredValue(offerRule);
  const totals = useMemo(() => totalsOf(rows, rule), [rows, rule]);
  const hasPrices = useMemo(() => isPriced || all.some(hasPrice), [isPriced, all]);
  const hasAmounts = useMemo(() => all.some((row) => row.price !== null || hasPrice(row)), [all]);
  if (!hasAmounts) return null;
  const isPart = shown.length < all.length;
  return (
    <section className={styles.bar} aria-label="Totals">
      <p className={styles.scope}>
        <strong>{count(totals.count)}</strong> {isPart && "shown "}
        {totals.count === 1 ? "card" : "cards"}
      </p>
      <dl className={styles.totals}>
        <Amount label="Cost" total={totals.cost} of={totals.count} />
        {hasPrices && <PriceTotals totals={totals} />}
        {rule !== null && <Amount label="Offers" total={totals.offer} of={totals.count} />}
      </dl>
      {onEditOffers && (
        <Button size="compact-xs" className={styles.offers ?? ""} onClick={onEditOffers}>
          {offerRule === null ? "Set buy offers" : "Edit buy offers"}
        </Button>
      )}
    </section>
  );
}

function hasPrice({ pricing, cardsiq }: ResultRow): boolean {
  return pricing !== null || cardsiq !== null;
}

function PriceTotals({ totals }: { totals: Totals }) {
  return (
    <>
      <Amount label="Estimate" total={totals.estimate} of={totals.count} />
      <Amount label="Median" total={totals.median} of={totals.count} />
      {totals.cardsiq.n > 0 && <Amount label="CardsIQ" total={totals.cardsiq} of={totals.count} />}
      <Margin totals={totals} />
    </>
  );
}

type AmountProps = { label: string; total: { sum: number; n: number }; of: number };

function Amount({ label, total, of }: AmountProps) {
  return (
    <Total label={label} n={total.n} of={of}>
      {money(total.sum)}
    </Total>
  );
}

/** CardLadder's estimate minus the cost, for cards that have both. */
function Margin({ totals: { margin, count: of } }: { totals: Totals }) {
  return (
    <Total label="Spread" n={margin.n} of={of} story="CardLadder’s estimate less the cost, of the cards that have both">
      <span className={styles.margin} data-tone={toneOf(margin.sum)}>
        {signOf(margin.sum)}
        {money(Math.abs(margin.sum))}
        {margin.percent !== null && (
          <span className={styles.percent}>
            {" "}
            {signOf(margin.percent)}
            {formatPercent(margin.percent)} %
          </span>
        )}
      </span>
    </Total>
  );
}

function signOf(amount: number): "+" | "−" | "" {
  if (amount === 0) return "";
  return amount > 0 ? "+" : "−";
}

function toneOf(dollars: number): "up" | "down" | "flat" {
  if (dollars === 0) return "flat";
  return dollars > 0 ? "up" : "down";
}

type TotalProps = { label: string; n: number; of: number; story?: string; children: ReactNode };

function Total({ label, n, of, story, children }: TotalProps) {
  return (
    <div className={styles.total} title={story}>
      <dt>
        {label} <span className={styles.sample}>{n === of ? "of all" : `of ${count(n)} of ${count(of)}`}</span>
      </dt>
      <dd data-none={n === 0 || undefined}>{n === 0 ? "–" : children}</dd>
    </div>
  );
}
