import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { NoValue } from "../../card/chips.tsx";
import styles from "./cells.module.css";
import { populationMessage } from "../../card/row-messages.ts";

/** The table cell: "Pop 204 · 12 higher", or a dash if the grader gave no population. */
export function Population({ row }: { row: ResultRow }) {
  const counts = populationMessage(row);
  if (counts === null) return isFound(row) ? <NoValue /> : null;
  const message = row.population === null ? counts : `Pop ${counts}`;
  return (
    <span className={styles.cut} title={message}>
      {message}
    </span>
  );
}
