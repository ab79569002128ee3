import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { rowTitle } from "../row/row-messages.ts";
import type { ReviewTools } from "./review-tools.ts";
import styles from "./review.module.css";

type ReviewCellProps = { row: ResultRow; tabIndex: number; review: ReviewTools };

/** Why a row needs review, the suggested action, and a button to mark it reviewed. */
export function ReviewCell({ row, tabIndex, review }: ReviewCellProps) {
  const action = review.actionOf(row);
  const name = rowTitle(row) ?? row.certNumber;
  if (review.reasonsOf(row).length === 0) return null;
  return (
    <span className={styles.cell}>
      <ReasonMessage row={row} review={review} />
      {action && action.name !== "looks_right" && (
        <Button size="compact-xs" tabIndex={tabIndex} onClick={action.run}>
          {action.label} <VisuallyHidden>{name}</VisuallyHidden>
        </Button>
      )}
      <button
        type="button"
        className={styles.right}
        tabIndex={tabIndex}
        aria-label={`Looks right: ${name}`}
        title="Looks right"
        onClick={() => review.onMarkReviewed(row)}
      >
        <IconCheck size={16} aria-hidden="true" />
      </button>
    </span>
  );
}

/** The first reason, and the number of others. */
export function ReasonMessage({ row, review }: { row: ResultRow; review: ReviewTools }) {
  const [first, ...others] = review.reasonsOf(row);
  if (!first) return null;
  const otherMessages = others.map(({ message }) => message);
  return (
    <span className={styles.reason} title={[first.message, ...otherMessages].join("\n")}>
      <span className={styles.message} data-kind={first.kind}>
        {first.message}
      </span>
      {others.length > 0 && (
        <span className={styles.others}>
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{otherMessages.join(". ")}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}
