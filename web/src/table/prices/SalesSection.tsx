import {
  PRICE_SOURCE_NAMES,
  PRICE_SOURCES,
  type PriceSourceName,
  type SaleView,
} from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { salesQuery } from "../../api/prices.ts";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import styles from "./PriceDrawer.module.css";
import { saleDate, sales as salesMessage } from "./price-messages.ts";
import { money } from "../../ui/format-money.ts";
import { keyedSales } from "./sales-plot.ts";
import { SalesPlot } from "./SalesPlot.tsx";

/** The sales behind a row's prices, as a plot and a list. Loaded when first shown. */
export function SalesSection({ row }: { row: ResultRow }) {
  const query = useQuery(salesQuery(row));
  const [chosen, setChosen] = useState<PriceSourceName>("cardladder");
  if (query.isPending)
    return (
      <section aria-label="Sales">
        <h3 className={styles.heading}>Sales</h3>
        <div className={styles.ghostPlot} aria-hidden="true" />
        <GhostRows count={4} rowHeight="2rem" label="Loading the sales" />
      </section>
    );
  if (query.isError)
    return (
      <section aria-label="Sales">
        <h3 className={styles.heading}>Sales</h3>
        <ErrorPanel
          message={`The sales could not be loaded. ${errorMessage(query.error)}`}
          reference={errorReference(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      </section>
    );

  const listed = PRICE_SOURCES.filter((source) => query.data[source].length > 0);
  const source = listed.includes(chosen) ? chosen : listed[0];
  return (
    <section aria-label="Sales">
      <div className={styles.headingLine}>
        <h3 className={styles.heading}>Sales</h3>
        {listed.length > 1 && (
          <ChoiceBar
            label="Whose sales"
            choices={listed.map((name) => ({ value: name, label: PRICE_SOURCE_NAMES[name] }))}
            value={source ?? chosen}
            onChange={setChosen}
          />
        )}
      </div>
      {source === undefined ? (
        <p className={styles.quiet}>No sales are listed for this card.</p>
      ) : (
        <Sales key={source} row={row} source={source} sales={query.data[source]} />
      )}
    </section>
  );
}

type SalesProps = { row: ResultRow; source: PriceSourceName; sales: readonly SaleView[] };

function Sales({ row, source, sales }: SalesProps) {
  const fetchedAt = (source === "cardladder" ? row.pricing : row.cardsiq)?.fetchedAt;
  return (
    <>
      {fetchedAt !== undefined && (
        <>
          <SalesPlot
            name={PRICE_SOURCE_NAMES[source]}
            sales={sales}
            medianPrice={source === "cardladder" ? (row.pricing?.medianPrice ?? null) : null}
            fetchedAt={fetchedAt}
          />
          <PlotKey sales={sales} hasMedian={source === "cardladder" && typeof row.pricing?.medianPrice === "number"} />
        </>
      )}
      <SalesList source={source} sales={sales} />
    </>
  );
}

function PlotKey({ sales, hasMedian }: { sales: readonly SaleView[]; hasMedian: boolean }) {
  return (
    <p className={styles.plotKey} aria-hidden="true">
      <span data-kind="counted">counted</span>
      {sales.some((sale) => sale.isOutlier) && <span data-kind="outlier">outlier</span>}
      {sales.some((sale) => !sale.isInWindow) && <span data-kind="older">before the 30 days</span>}
      {hasMedian && <span data-kind="median">median</span>}
    </p>
  );
}

function SalesList({ source, sales }: { source: PriceSourceName; sales: readonly SaleView[] }) {
  return (
    <table className={styles.sales}>
      <caption className={styles.caption}>
        {salesMessage(sales.length)} at {PRICE_SOURCE_NAMES[source]}, newest first
      </caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Platform</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {keyedSales(sales).map(({ key, sale }) => (
          <tr key={key} data-counts={(sale.isInWindow && !sale.isOutlier) || undefined}>
            <td>{saleDate(sale.soldAt)}</td>
            <td>{sale.platform ?? "–"}</td>
            <td>
              {sale.isOutlier && <span className={styles.outlier}>outlier</span>}
              {money(sale.price)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
