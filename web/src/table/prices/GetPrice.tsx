import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { cardName } from "./market-view.ts";
import styles from "./MarketData.module.css";
import type { PriceTools } from "./price-tools.ts";

type GetPriceProps = {
  row: ResultRow;
  tabIndex: number;
  tools: PriceTools;
  /** What stands there when no price source is on. */
  otherwise: ReactNode;
};

/** SPEC's Get Price button. While it runs it stays a button that does nothing: disabled, it would drop the focus. */
export function GetPrice({ row, tabIndex, tools, otherwise }: GetPriceProps) {
  const { onGetPrice } = tools;
  if (onGetPrice === null) return otherwise;
  const isFetching = tools.fetching.has(row.id);
  return (
    <button
      type="button"
      className={styles.get}
      tabIndex={tabIndex}
      aria-disabled={isFetching}
      onClick={() => onGetPrice(row)}
    >
      {isFetching ? "Loading..." : "Get Price"}
      <VisuallyHidden> of {cardName(row)}</VisuallyHidden>
    </button>
  );
}
