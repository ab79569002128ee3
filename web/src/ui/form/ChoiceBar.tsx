import type { ReactNode } from "react";
import styles from "./ChoiceBar.module.css";

type ChoiceBarProps<Value extends string> = {
  /** The group's accessible name. */
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  size?: "sm" | "md";
};

/** A row of buttons, one of which is pressed. */
export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>): ReactNode {
  const { label, choices, value, onChange, size = "sm" } = props;
  return (
    <fieldset className={styles.choices} data-size={size} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles.choice}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
