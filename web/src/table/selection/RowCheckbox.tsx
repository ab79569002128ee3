import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { rowTitle } from "../row/row-messages.ts";
import styles from "./selection.module.css";

type RowCheckboxProps = {
  row: ResultRow;
  tabIndex: number;
  isSelected: boolean;
  /** `isRange` selects from the previously selected row. */
  onSelect: (id: string, isRange: boolean) => void;
};

/** A row's checkbox. The whole cell is clickable. */
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
