import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { rowTitle } from "../../card/row-messages.ts";
import type { SelectedShare } from "./selection.ts";
import styles from "./SelectBox.module.css";

type SelectBoxProps = {
  label: string;
  tabIndex?: number;
  share: SelectedShare;
  /** `isRange` is true if Shift was down. */
  onToggle: (isRange: boolean) => void;
};

/** A checkbox whose whole cell is clickable. */
export function SelectBox({ label, tabIndex = 0, share, onToggle }: SelectBoxProps) {
  return (
    <label className={styles.target}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = share === "some";
        }}
        type="checkbox"
        aria-label={label}
        tabIndex={tabIndex}
        checked={share === "all"}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}

type RowCheckboxProps = { row: ResultRow; tabIndex: number; isSelected: boolean; onSelect: SelectRow };

/** Toggles a row's selection. `isRange` selects from the previously selected row. */
export type SelectRow = (id: string, isRange: boolean) => void;

export function RowCheckbox({ row, tabIndex, isSelected, onSelect }: RowCheckboxProps) {
  return (
    <SelectBox
      label={`Select ${rowTitle(row) ?? row.certNumber}`}
      tabIndex={tabIndex}
      share={isSelected ? "all" : "none"}
      onToggle={(isRange) => onSelect(row.id, isRange)}
    />
  );
}
