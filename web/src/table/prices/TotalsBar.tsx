import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type Totals, totalsOf } from "@slabdesk/contract/market/totals.ts";
import { Button } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { RowsSnapshot } from "../rows-store.ts";
import { count, money, formatPercent } from "./price-messages.ts";
import styles from "./TotalsBar.module.css";

type TotalsBarProps = {
  /** All rows of the session, and those that are shown of them. */
  all: RowsSnapshot;
  shown: RowsSnapshot;
  /** Prices were asked for: their totals have their places before the first one comes. */
  isPriced: boolean;
  offerRule: OfferRule | null;
  /** Null where the rule cannot be changed. */
  onEditOffers: (() => void) | null;
};

/**
 * What the rows shown come to: cost, estimate, median, spread and offers, each with the number of cards it is of. Not
 * there while no row has a price of any kind. 100,000 rows take 20 ms, so they are added up after the table is drawn.
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

/** CardLadder's estimate less the cost, of the cards that have both. */
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
