import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { rowTitle } from "../row-words.ts";
import type { LookTools } from "./look-tools.ts";
import styles from "./look.module.css";

type LookCellProps = { row: ResultRow; tabIndex: number; look: LookTools };

/** Why a row needs a look, the one thing to do about it, and the way to say that it is right as it is. */
export function LookCell({ row, tabIndex, look }: LookCellProps) {
  const action = look.actionOf(row);
  const name = rowTitle(row) ?? row.certNumber;
  if (look.reasonsOf(row).length === 0) return null;
  return (
    <span className={styles.cell}>
      <ReasonWords row={row} look={look} />
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
        onClick={() => look.onLooksRight(row)}
      >
        <IconCheck size={16} aria-hidden="true" />
      </button>
    </span>
  );
}

/** The first reason, and how many there are besides. */
export function ReasonWords({ row, look }: { row: ResultRow; look: LookTools }) {
  const [first, ...others] = look.reasonsOf(row);
  if (!first) return null;
  const story = others.map(({ words }) => words);
  return (
    <span className={styles.reason} title={[first.words, ...story].join("\n")}>
      <span className={styles.words} data-kind={first.kind}>
        {first.words}
      </span>
      {others.length > 0 && (
        <span className={styles.others}>
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{story.join(". ")}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}
