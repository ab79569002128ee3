import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { KeyHint } from "../ui/KeyHint.tsx";
import styles from "./ActiveRowBar.module.css";
import { rowRemarks, rowTitle, rowWords } from "./row-words.ts";

type ActiveRowBarProps = { row: ResultRow | null; isRunning: boolean };

/**
 * The line below the grid: all that the active row has no room to say, or the keys while no row is active. The row
 * itself carries the same words, so a screen reader is spared them.
 */
export function ActiveRowBar({ row, isRunning }: ActiveRowBarProps) {
  return (
    <div className={styles.bar} aria-hidden="true">
      {row === null ? <Keys /> : <RowStory row={row} isRunning={isRunning} />}
    </div>
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
      {rowRemarks(row).map((remark) => (
        <span key={remark} className={styles.remark}>
          {remark}
        </span>
      ))}
    </>
  );
}

const KEYS: readonly [string, string][] = [
  ["↑ ↓", "move"],
  ["Space", "images"],
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
