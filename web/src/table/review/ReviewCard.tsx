import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import type { ReviewTools } from "./review-tools.ts";
import { ReasonMessage } from "./ReviewCell.tsx";
import styles from "./review.module.css";

/** The review controls on a phone's card: the reason, its action and "Looks right". */
export function ReviewCard({ row, review }: { row: ResultRow; review: ReviewTools }) {
  const action = review.actionOf(row);
  if (review.reasonsOf(row).length === 0) return null;
  return (
    <div className={styles.card}>
      <ReasonMessage row={row} review={review} />
      <div className={styles.buttons}>
        {action && action.name !== "looks_right" && (
          <Button size="xs" variant="filled" onClick={action.run}>
            {action.label} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
          </Button>
        )}
        <Button size="xs" onClick={() => review.onMarkReviewed(row)}>
          Looks right <VisuallyHidden>{row.certNumber}</VisuallyHidden>
        </Button>
      </div>
    </div>
  );
}
