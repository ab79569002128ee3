import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, type ButtonProps, Group } from "@mantine/core";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { IconCheck } from "@tabler/icons-react";
import { Tag } from "../../ui/Tag.tsx";
import { rowTitle } from "../../card/row-messages.ts";
import type { ReviewContext } from "./use-review-context.ts";
import styles from "./review.module.css";

type ReviewCellProps = { row: ResultRow; tabIndex: number; review: ReviewContext };

/** Why a row needs review, the suggested action, and a button to mark it reviewed. */
export function ReviewCell({ row, tabIndex, review }: ReviewCellProps) {
  if (review.reasonsOf(row).length === 0) return null;
  const name = rowTitle(row) ?? row.certNumber;
  const mark = isError(row) ? "Dismiss" : "Looks right";
  return (
    <span className={styles.cell}>
      <ReasonMessage row={row} review={review} />
      <ActionButton row={row} review={review} name={name} size="compact-xs" tabIndex={tabIndex} />
      <button
        type="button"
        className={styles.right}
        tabIndex={tabIndex}
        aria-label={`${mark}: ${name}`}
        title={mark}
        onClick={() => review.onMarkReviewed(row)}
      >
        <IconCheck size={16} aria-hidden="true" />
      </button>
    </span>
  );
}

type ReviewCardProps = { row: ResultRow; review: ReviewContext };

/** The review controls on a phone's card: the reason, its action and "Looks right". */
export function ReviewCard({ row, review }: ReviewCardProps) {
  if (review.reasonsOf(row).length === 0) return null;
  return (
    <div className={styles.card}>
      <ReasonMessage row={row} review={review} />
      <Group gap={8}>
        <ActionButton row={row} review={review} name={row.certNumber} size="xs" variant="filled" />
        <Button size="xs" onClick={() => review.onMarkReviewed(row)}>
          {isError(row) ? "Dismiss" : "Looks right"} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
        </Button>
      </Group>
    </div>
  );
}

/** The suggested action; nothing if there is none but to mark the row reviewed. */
function ActionButton({
  row,
  review,
  name,
  ...look
}: ReviewCardProps & { name: string } & ButtonProps & { tabIndex?: number }) {
  const action = review.actionOf(row);
  if (action === null || action.name === "looks_right") return null;
  return (
    <Button {...look} onClick={action.run}>
      {action.label} <VisuallyHidden>{name}</VisuallyHidden>
    </Button>
  );
}

/** The first reason, and the number of others. */
function ReasonMessage({ row, review }: ReviewCardProps) {
  const [first, ...others] = review.reasonsOf(row);
  if (!first) return null;
  const otherMessages = others.map(({ message }) => message);
  return (
    <span className={styles.reason} title={[first.message, ...otherMessages].join("\n")}>
      <span className={styles.message} data-kind={first.kind}>
        {first.message}
      </span>
      {others.length > 0 && (
        <Tag variant="small">
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{otherMessages.join(". ")}</VisuallyHidden>
        </Tag>
      )}
    </span>
  );
}
