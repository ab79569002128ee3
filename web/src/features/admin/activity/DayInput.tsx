import { TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import styles from "./tools.module.css";

type DayInputProps = {
  label: string;
  /** As YYYY-MM-DD; "" if unset. */
  day: string;
  onDay: (day: string) => void;
};

/** A date input. Keeps partial input, because typing a year passes through 0002 and 0020. */
export function DayInput({ label, day, onDay }: DayInputProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <TextInput
        type="date"
        size="xs"
        min="2000-01-01"
        max="2099-12-31"
        value={typed ?? day}
        onChange={({ currentTarget: { value, validity } }) => {
          setTyped(value);
          if (validity.valid) onDay(value);
        }}
        onBlur={() => setTyped(null)}
      />
    </label>
  );
}
