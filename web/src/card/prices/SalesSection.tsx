import {
  PRICE_SOURCE_NAMES,
  PRICE_SOURCES,
  type PriceSourceName,
  type MarkedSale,
} from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { loadProblem } from "../../api/error-messages.ts";
import { salesQuery } from "../../api/prices.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import { counted, money } from "../../ui/format-numbers.ts";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { Remark } from "../CardParts.tsx";
import { saleDate } from "./price-messages.ts";
import styles from "./Market.module.css";
import { keyedSales, PLOT_HEIGHT } from "./sales-plot.ts";
import { SalesPlot } from "./SalesPlot.tsx";

/** The sales behind a row's prices, as a plot and a list. Loaded when first shown. */
export function SalesSection({ row }: { row: ResultRow }) {
  const query = useQuery(salesQuery(row));
  const [chosen, setChosen] = useState<PriceSourceName>("cardladder");
  const listed = PRICE_SOURCES.filter((source) => query.data && query.data[source].length > 0);
  const source = listed.includes(chosen) ? chosen : listed[0];
  const choices = listed.map((name) => ({ value: name, label: PRICE_SOURCE_NAMES[name] }));
  return (
    <Box component="section" mt={14} aria-label="Sales">
      {source !== undefined && choices.length > 1 && (
        <Group justify="flex-end" mb={8}>
          <ChoiceBar label="Whose sales" choices={choices} value={source} onChange={setChosen} />
        </Group>
      )}
      {query.isPending && (
        <>
          <Box h={PLOT_HEIGHT} mb={8} bdrs={8} bg="var(--sd-fill)" aria-hidden="true" />
          <GhostRows count={4} rowHeight="2rem" label="Loading the sales" />
        </>
      )}
      {query.isError && <ErrorPanel {...loadProblem(query, "The sales could not be loaded.")} />}
      {query.isSuccess && source === undefined && <Remark>No sales are listed for this card.</Remark>}
      {query.isSuccess && source !== undefined && (
        <Sales key={source} row={row} source={source} sales={query.data[source]} />
      )}
    </Box>
  );
}

type SalesProps = { row: ResultRow; source: PriceSourceName; sales: readonly MarkedSale[] };

function Sales({ row, source, sales }: SalesProps) {
  const fetchedAt = (source === "cardladder" ? row.pricing : row.cardsiq)?.fetchedAt;
  const medianPrice = source === "cardladder" ? (row.pricing?.medianPrice ?? null) : null;
  const name = PRICE_SOURCE_NAMES[source];
  return (
    <>
      {fetchedAt !== undefined && (
        <SalesPlot name={name} sales={sales} medianPrice={medianPrice} fetchedAt={fetchedAt} />
      )}
      <details className={styles.all}>
        <summary>
          {counted(sales.length, "sale")} at {name}, newest first
        </summary>
        <table className={styles.sales} aria-label={`Sales at ${name}`}>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Platform</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {keyedSales(sales).map(({ key, item: sale }) => (
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
      </details>
    </>
  );
}
