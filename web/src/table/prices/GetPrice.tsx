import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { cardName } from "../../card/prices/market-state.ts";
import styles from "./PriceCells.module.css";
import type { PriceContext } from "./price-context.ts";

type GetPriceProps = { row: ResultRow; tabIndex: number; context: PriceContext };

/**
 * The Get Price button, if a price source is on. While loading, it ignores presses but isn't disabled; a disabled button
 * would lose the focus.
 */
export function GetPrice({ row, tabIndex, context }: GetPriceProps) {
  const { onGetPrice } = context;
  if (onGetPrice === null) return null;
  const isFetching = context.fetching.has(row.id);
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
