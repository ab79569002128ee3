import { Button, Checkbox, Popover } from "@mantine/core";
import { KeyHint } from "../ui/KeyHint.tsx";
import styles from "./ColumnsMenu.module.css";
import type { TablePreferences } from "./table-preferences.ts";
import type { ColumnChoice } from "./use-column-layout.ts";

type ColumnsMenuProps = {
  choices: ColumnChoice[];
  preferences: TablePreferences;
  onChange: (change: Partial<TablePreferences>) => void;
  onShowKeys: () => void;
};

/** Which columns are shown and how dense the rows are; the choice is remembered. */
export function ColumnsMenu({ choices, preferences, onChange, onShowKeys }: ColumnsMenuProps) {
  const toggle = (choice: ColumnChoice): void => {
    const others = preferences.hiddenColumns.filter((id) => id !== choice.id);
    onChange({ hiddenColumns: choice.isVisible ? [...others, choice.id] : others });
  };
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md" width={250}>
      <Popover.Target>
        <Button size="xs" className={styles.target}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.menu} aria-label="Columns and density">
        <Checkbox
          size="xs"
          label={
            <span className={styles.withKey}>
              Compact rows <KeyHint>D</KeyHint>
            </span>
          }
          checked={preferences.density === "compact"}
          onChange={(event) => onChange({ density: event.currentTarget.checked ? "compact" : "comfortable" })}
        />
        <fieldset className={styles.columns}>
          <legend className={styles.legend}>Columns</legend>
          {choices.map((choice) => (
            <Checkbox
              key={choice.id}
              size="xs"
              label={choice.header}
              checked={choice.isVisible}
              onChange={() => toggle(choice)}
            />
          ))}
        </fieldset>
        <div className={styles.foot}>
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={preferences.hiddenColumns.length === 0}
            onClick={() => onChange({ hiddenColumns: [] })}
          >
            Show all
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={onShowKeys}>
            Keys
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
