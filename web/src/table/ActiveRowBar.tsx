import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { canEdit, canRetry, isError } from "@slabdesk/contract/look/row-state.ts";
import { KeyHint } from "../ui/KeyHint.tsx";
import styles from "./ActiveRowBar.module.css";
import type { LookTools } from "./look/look-tools.ts";
import { type ErrorBox, rowRemarks, rowTitle, rowWords } from "./row-words.ts";

type ActiveRowBarProps = {
  row: ResultRow | null;
  isRunning: boolean;
  /** Both null below a table whose rows are only looked at. */
  onEdit: ((row: ResultRow) => void) | null;
  onRetry: ((row: ResultRow) => void) | null;
  onWhy: (row: ResultRow) => void;
  look: LookTools;
  /** What is said of a failed row, in place of its own story. */
  describeError?: ((row: ResultRow) => ErrorBox | null) | null;
};

/**
 * The line below the grid: all that the active row has no room to say, with what can be done about its failure, or the
 * keys while no row is active. The row itself carries the same words, so a screen reader is spared them.
 */
export function ActiveRowBar({
  row,
  isRunning,
  onEdit,
  onRetry,
  onWhy,
  look,
  describeError = null,
}: ActiveRowBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.words} aria-hidden="true">
        {row === null ? <Keys /> : <RowStory row={row} isRunning={isRunning} describeError={describeError} />}
      </div>
      {row && onEdit && canEdit(row) && <BarButton words="Edit number" row={row} cap="E" onClick={onEdit} />}
      {row && onRetry && canRetry(row) && <BarButton words="Retry" row={row} cap="R" onClick={onRetry} />}
      {row && row.lookedAt !== null && (
        <BarButton words="Looked at, take back" row={row} cap="L" onClick={look.onLooksRight} />
      )}
      {row && look.reasonsOf(row).length > 0 && (
        <BarButton words="Looks right" row={row} cap="L" onClick={look.onLooksRight} />
      )}
      {row && <BarButton words="Why?" row={row} cap="W" onClick={onWhy} />}
    </div>
  );
}

type BarButtonProps = { words: string; row: ResultRow; cap: string; onClick: (row: ResultRow) => void };

function BarButton({ words, row, cap, onClick }: BarButtonProps) {
  return (
    <Button size="compact-xs" onClick={() => onClick(row)}>
      {words} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
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
  const { tone, label, hint, story } = rowWords(row, isRunning);
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
      <span>{isAboutCard ? rowTitle(row) : (box?.words ?? story ?? hint ?? row.certNumber)}</span>
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
