import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import type { LookTools } from "./look-tools.ts";
import { ReasonWords } from "./LookCell.tsx";
import styles from "./look.module.css";

/** The same on a phone's card: the reason, the one thing to do, and that it looks right. */
export function LookCard({ row, look }: { row: ResultRow; look: LookTools }) {
  const action = look.actionOf(row);
  if (look.reasonsOf(row).length === 0) return null;
  return (
    <div className={styles.card}>
      <ReasonWords row={row} look={look} />
      <div className={styles.buttons}>
        {action && action.name !== "looks_right" && (
          <Button size="xs" variant="filled" onClick={action.run}>
            {action.label} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
          </Button>
        )}
        <Button size="xs" onClick={() => look.onLooksRight(row)}>
          Looks right <VisuallyHidden>{row.certNumber}</VisuallyHidden>
        </Button>
      </div>
    </div>
  );
}
