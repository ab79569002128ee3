import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { LookAction } from "@slabdesk/contract/look/reasons.ts";
import { useMemo } from "react";
import type { PriceTools } from "../prices/price-tools.ts";
import { ACTION_LABELS, type LookTools } from "./look-tools.ts";
import type { Looked } from "./use-looked.ts";
import type { ReasonsOf } from "./use-look-reasons.ts";

type Deed = ((row: ResultRow) => void) | null;

type LookToolsOptions = {
  isOn: boolean;
  reasonsOf: ReasonsOf;
  looked: Looked;
  onEdit: Deed;
  onRetry: Deed;
  onOpenImages: (row: ResultRow) => void;
  prices: PriceTools;
  /** The row in hand is about to go, and a button in it with it: the grid takes the focus. */
  onLeave: () => void;
};

/** What can be done here about rows that need a look. */
export function useLookTools(options: LookToolsOptions): LookTools {
  const { isOn, reasonsOf, looked, onEdit, onRetry, onOpenImages, prices, onLeave } = options;
  const { onGetPrice, onOpenPrices } = prices;
  return useMemo((): LookTools => {
    const leaving =
      (deed: Deed): Deed =>
      (row) => {
        onLeave();
        deed?.(row);
      };
    const looksRight = (row: ResultRow): void => {
      onLeave();
      if (row.lookedAt !== null) looked.unmark(row);
      else if (reasonsOf(row).length > 0) looked.mark([row]);
    };
    const deeds: Record<LookAction, Deed> = {
      edit_number: onEdit,
      retry: onRetry && leaving(onRetry),
      get_price: onGetPrice && leaving(onGetPrice),
      open_prices: onOpenPrices,
      add_photo: onOpenImages,
      open_images: onOpenImages,
      looks_right: looksRight,
    };
    return {
      isOn,
      reasonsOf,
      onLooksRight: looksRight,
      actionOf: (row) => {
        const name = reasonsOf(row)[0]?.action;
        const deed = name === undefined ? null : deeds[name];
        return name === undefined || deed === null ? null : { name, label: ACTION_LABELS[name], run: () => deed(row) };
      },
    };
  }, [isOn, reasonsOf, looked, onEdit, onRetry, onOpenImages, onGetPrice, onOpenPrices, onLeave]);
}
