import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { KeyHint } from "../ui/KeyHint.tsx";
import styles from "./ActiveRowBar.module.css";
import { canEdit, canRetry, rowRemarks, rowTitle, rowWords } from "./row-words.ts";

type ActiveRowBarProps = {
  row: ResultRow | null;
  isRunning: boolean;
  /** Both null below a table whose rows are only looked at. */
  onEdit: ((row: ResultRow) => void) | null;
  onRetry: ((row: ResultRow) => void) | null;
};

/**
 * The line below the grid: all that the active row has no room to say, with what can be done about its failure, or the
 * keys while no row is active. The row itself carries the same words, so a screen reader is spared them.
 */
export function ActiveRowBar({ row, isRunning, onEdit, onRetry }: ActiveRowBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.words} aria-hidden="true">
        {row === null ? <Keys /> : <RowStory row={row} isRunning={isRunning} />}
      </div>
      {row && onEdit && canEdit(row) && (
        <Button size="compact-xs" onClick={() => onEdit(row)}>
          Edit number <VisuallyHidden>{row.certNumber}</VisuallyHidden>
          <KeyCap>E</KeyCap>
        </Button>
      )}
      {row && onRetry && canRetry(row) && (
        <Button size="compact-xs" onClick={() => onRetry(row)}>
          Retry <VisuallyHidden>{row.certNumber}</VisuallyHidden>
          <KeyCap>R</KeyCap>
        </Button>
      )}
    </div>
  );
}

function KeyCap({ children }: { children: string }) {
  return (
    <span className={styles.cap} aria-hidden="true">
      <KeyHint>{children}</KeyHint>
    </span>
  );
}

function RowStory({ row, isRunning }: { row: ResultRow; isRunning: boolean }) {
  const { tone, label, hint, story } = rowWords(row, isRunning);
  const isAboutCard = tone === "plain" || tone === "good";
  return (
    <>
      <span className={styles.line}>Line {row.line}</span>
      {label !== null && (
        <span className={styles.label} data-tone={tone}>
          {label}
        </span>
      )}
      <span>{isAboutCard ? rowTitle(row) : (story ?? hint ?? row.certNumber)}</span>
      {rowRemarks(row).map(({ kind, words }) => (
        <span key={words} className={styles.remark} data-kind={kind}>
          {words}
        </span>
      ))}
    </>
  );
}

const KEYS: readonly [string, string][] = [
  ["↑ ↓", "move"],
  ["Space", "images"],
  ["P", "prices"],
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
