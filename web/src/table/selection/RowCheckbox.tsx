import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { rowTitle } from "../row-messages.ts";
import styles from "./selection.module.css";

type RowCheckboxProps = {
  row: ResultRow;
  tabIndex: number;
  isSelected: boolean;
  /** `isRange` reaches from the row picked before. */
  onSelect: (id: string, isRange: boolean) => void;
};

/** The box that selects a row; all of its cell takes the click. */
export function RowCheckbox({ row, tabIndex, isSelected, onSelect }: RowCheckboxProps) {
  return (
    <label className={styles.target}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={`Select ${rowTitle(row) ?? row.certNumber}`}
        tabIndex={tabIndex}
        checked={isSelected}
        onChange={({ nativeEvent }) => onSelect(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}
