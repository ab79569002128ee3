import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import type { ErrorBox } from "../../card/row-messages.ts";
import type { CardActions, CardDialog } from "../../card/use-card-dialog.ts";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";

/** What all rows of a table need; stable until a part of it changes. */
export type RowContext = Omit<CardActions, "swapping" | "onEditOffers" | "onRowKey"> & {
  /** Whether the table shows the rows that need review. */
  isReview: boolean;
  onOpen: CardDialog["open"];
  /** Toggles a row's selection, or selects from the row selected before. */
  onSelect: (id: string, isRange: boolean) => void;
  /** The suggested action for the row's first reason; null if there is none or the table is read-only. */
  actionOf: (row: ResultRow) => { name: ReviewAction; label: string; run: () => void } | null;
  lookups: SessionLookupHistory;
  /** Replaces a failed row's error text with a box. */
  describeError: ((row: ResultRow) => ErrorBox | null) | null;
};

/** What a cell or a card shows. `tabIndex` is 0 in the active row only, so that Tab doesn't visit 20,000 rows. */
export type CellProps = { row: ResultRow; context: RowContext; tabIndex: number; isSelected: boolean };
