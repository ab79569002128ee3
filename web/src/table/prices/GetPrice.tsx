import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { cardName } from "./market-view.ts";
import styles from "./PriceCells.module.css";
import type { PriceTools } from "./price-tools.ts";

type GetPriceProps = {
  row: ResultRow;
  tabIndex: number;
  tools: PriceTools;
  /** Shown if no price source is on. */
  otherwise: ReactNode;
};

/**
 * The Get Price button. While loading, it ignores presses but isn't disabled; a disabled button would lose the focus.
 */
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
