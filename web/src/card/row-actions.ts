import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { canEdit, canEnter, canRetry, isByHand, isEnteredHere, isError } from "@slabdesk/contract/review/row-state.ts";
import type { CardActions, CardDialog } from "./use-card-dialog.ts";

type Handlers = Pick<CardActions, "onEdit" | "onRetry" | "onMarkReviewed" | "reasonsOf"> & {
  onOpen: CardDialog["open"];
};

/** What the row's state allows, with the letter key of each action. */
export function rowActions(row: ResultRow, { onEdit, onRetry, onOpen, onMarkReviewed, reasonsOf }: Handlers) {
  const doneLabel = isError(row) ? "Dismiss" : "Looks right";
  const actions: [isOffered: boolean, key: string, label: string, act: (row: ResultRow) => void][] = [
    [canEdit(row), "E", "Edit number", onEdit],
    [canRetry(row), "R", "Retry", onRetry],
    [isByHand(row), "R", "Look up again", onRetry],
    [canEnter(row), "H", isEnteredHere(row) ? "Edit entry" : "Enter by hand", () => onOpen(row, "entry")],
    [row.reviewedAt !== null, "L", "Reviewed · Undo", onMarkReviewed],
    [reasonsOf(row).length > 0, "L", doneLabel, onMarkReviewed],
  ];
  return actions.flatMap(([isOffered, key, label, act]) => (isOffered ? [{ key, label, run: () => act(row) }] : []));
}
