import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { CardDialog } from "../../card/use-card-dialog.ts";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import type { PriceContext } from "../prices/price-context.ts";
import type { ReviewContext } from "../review/use-review-context.ts";
import type { SelectRow } from "../selection/SelectBox.tsx";
import type { ErrorBox } from "../../card/row-messages.ts";

/** What all rows of a table need; stable until a part of it changes. */
export type RowContext = {
  isRunning: boolean;
  onSwap: (row: ResultRow) => void;
  onEdit: (row: ResultRow) => void;
  onRetry: (row: ResultRow) => void;
  /** Opens the card view. */
  onOpen: CardDialog["open"];
  prices: PriceContext;
  review: ReviewContext;
  lookups: SessionLookupHistory;
  /** Replaces a failed row's error text with a box. */
  describeError: ((row: ResultRow) => ErrorBox | null) | null;
  onSelect: SelectRow;
};
