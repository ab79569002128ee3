import { rowTitle } from "../../card/row-messages.ts";
import type { CellProps } from "./row-context.ts";
import styles from "./SelectBox.module.css";

export type SelectedShare = "none" | "some" | "all";

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

export function RowCheckbox({ row, tabIndex, isSelected, context }: CellProps) {
  return (
    <SelectBox
      label={`Select ${rowTitle(row) ?? row.certNumber}`}
      tabIndex={tabIndex}
      share={isSelected ? "all" : "none"}
      onToggle={(isRange) => context.onSelect(row.id, isRange)}
    />
  );
}
