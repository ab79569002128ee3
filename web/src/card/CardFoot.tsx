import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { canEdit, canEnter, canRetry, isByHand, isEnteredHere, isError } from "@slabdesk/contract/review/row-state.ts";
import { Button, Group } from "@mantine/core";
import { deleteRow } from "../run/session-requests.ts";
import { useAction } from "../run/use-action.ts";
import { confirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import type { CardActions } from "./card-actions.ts";
import styles from "./CardView.module.css";
import type { CardDialog } from "./use-card-dialog.ts";

type CardFootProps = { row: ResultRow; dialog: CardDialog; actions: CardActions };

/** What can be done with the row. Stays at the bottom while the rest scrolls. */
export function CardFoot({ row, dialog, actions }: CardFootProps) {
  const { onRetry, onEdit, onMarkReviewed, reasonsOf, onRowKey } = actions;
  const needsReview = reasonsOf(row).length > 0;
  const buttons = [
    { label: "Edit number", isOffered: canEdit(row), run: () => onEdit(row) },
    {
      label: isByHand(row) ? "Look up again" : "Retry",
      isOffered: canRetry(row) || isByHand(row),
      run: () => onRetry(row),
    },
    {
      label: isEnteredHere(row) ? "Edit entry" : "Enter by hand",
      isOffered: canEnter(row) && dialog.part !== "entry",
      run: () => dialog.open(row, "entry"),
    },
    { label: "Reviewed · Undo", isOffered: row.reviewedAt !== null, run: () => onMarkReviewed(row) },
    { label: isError(row) ? "Dismiss" : "Looks right", isOffered: needsReview, run: () => onMarkReviewed(row) },
    { label: "Copy number", isOffered: row.certNumber !== "", run: () => onRowKey("c", row) },
  ];
  return (
    <Group className={styles.foot ?? ""} gap={8}>
      {buttons
        .filter(({ isOffered }) => isOffered)
        .map(({ label, run }) => (
          <Button key={label} size="xs" onClick={run}>
            {label}
          </Button>
        ))}
      <RemoveButton row={row} dialog={dialog} />
    </Group>
  );
}

/** Deletes the row after a question, and shows the next one. */
function RemoveButton({ row, dialog }: Pick<CardFootProps, "row" | "dialog">) {
  const { run, isBusy } = useAction<ResultRow>({
    send: deleteRow,
    failure: ({ line }) => ({ id: "remove-row", title: `Couldn't remove line ${line}` }),
    onDone: (_, { line }) => toast.done({ id: "remove-row", message: `Removed line ${line}` }),
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: `Remove line ${row.line} from this session?`,
      message: `${row.certNumber || "The row"} with its prices, photos and notes is deleted. Your file and the other rows stay.`,
      confirmLabel: "Remove row",
      isDestructive: true,
    });
    if (!isSure) return;
    (dialog.onNext ?? dialog.onPrevious ?? dialog.close)();
    run(row);
  };
  return (
    <Button size="xs" ms="auto" variant="subtle" color="bad" aria-disabled={isBusy} onClick={() => void remove()}>
      Remove row
    </Button>
  );
}
