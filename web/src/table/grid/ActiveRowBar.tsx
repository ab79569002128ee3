import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { canEdit, canRetry, isError } from "@slabdesk/contract/review/row-state.ts";
import { KeyHint } from "../../ui/KeyHint.tsx";
import styles from "./ActiveRowBar.module.css";
import type { ReviewTools } from "../review/review-tools.ts";
import { type ErrorBox, rowRemarks, rowTitle, rowMessage } from "../row/row-messages.ts";

type ActiveRowBarProps = {
  row: ResultRow | null;
  isRunning: boolean;
  onEdit: (row: ResultRow) => void;
  onRetry: (row: ResultRow) => void;
  onHistory: (row: ResultRow) => void;
  review: ReviewTools;
  /** Replaces the row's own error text. */
  describeError?: ((row: ResultRow) => ErrorBox | null) | null;
};

/**
 * The line below the grid. Shows the active row's full message and its repair actions, or the keyboard shortcuts when
 * no row is active. Hidden from screen readers, because the row itself carries the same text.
 */
export function ActiveRowBar({
  row,
  isRunning,
  onEdit,
  onRetry,
  onHistory,
  review,
  describeError = null,
}: ActiveRowBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.message} aria-hidden="true">
        {row === null ? <Keys /> : <RowStory row={row} isRunning={isRunning} describeError={describeError} />}
      </div>
      {row && canEdit(row) && <BarButton message="Edit number" row={row} cap="E" onClick={onEdit} />}
      {row && canRetry(row) && <BarButton message="Retry" row={row} cap="R" onClick={onRetry} />}
      {row && row.reviewedAt !== null && (
        <BarButton message="Looked at, take back" row={row} cap="L" onClick={review.onMarkReviewed} />
      )}
      {row && review.reasonsOf(row).length > 0 && (
        <BarButton message="Looks right" row={row} cap="L" onClick={review.onMarkReviewed} />
      )}
      {row && <BarButton message="Why?" row={row} cap="W" onClick={onHistory} />}
    </div>
  );
}

type BarButtonProps = { message: string; row: ResultRow; cap: string; onClick: (row: ResultRow) => void };

function BarButton({ message, row, cap, onClick }: BarButtonProps) {
  return (
    <Button size="compact-xs" onClick={() => onClick(row)}>
      {message} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
      <KeyCap>{cap}</KeyCap>
    </Button>
  );
}

function KeyCap({ children }: { children: string }) {
  return (
    <span className={styles.cap} aria-hidden="true">
      <KeyHint>{children}</KeyHint>
    </span>
  );
}

type RowStoryProps = Required<Pick<ActiveRowBarProps, "isRunning" | "describeError">> & { row: ResultRow };

function RowStory({ row, isRunning, describeError }: RowStoryProps) {
  const { tone, label, hint, story } = rowMessage(row, isRunning);
  const box = isError(row) ? (describeError?.(row) ?? null) : null;
  const isAboutCard = tone === "plain" || tone === "good";
  return (
    <>
      <span className={styles.line}>Line {row.line}</span>
      {label !== null && (
        <span className={styles.label} data-tone={tone}>
          {box?.title ?? label}
        </span>
      )}
      <span>{isAboutCard ? rowTitle(row) : (box?.message ?? story ?? hint ?? row.certNumber)}</span>
      {rowRemarks(row).map(({ kind, message }) => (
        <span key={message} className={styles.remark} data-kind={kind}>
          {message}
        </span>
      ))}
    </>
  );
}

const KEYS: readonly [string, string][] = [
  ["↑ ↓", "move"],
  ["Space", "images"],
  ["P", "prices"],
  ["X", "select"],
  ["C", "copy the number"],
  ["/", "find"],
  ["?", "all keys"],
];

function Keys() {
  return KEYS.map(([key, meaning]) => (
    <span key={key} className={styles.key}>
      <KeyHint>{key}</KeyHint> {meaning}
    </span>
  ));
}
