import { Group, Progress, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { parsePrice } from "@slabdesk/contract/sheet/price.ts";
import { useState } from "react";
import { KeyHint } from "../../ui/KeyHint.tsx";
import { HIGHEST_VALUE } from "../columns/table-preferences.ts";
import styles from "./review.module.css";
import type { ReviewProgress } from "./use-review-progress.ts";
import { formatCount } from "../../ui/format-numbers.ts";

type ReviewHeadProps = {
  progress: ReviewProgress;
  /** In dollars; null turns the rule off. */
  highValue: number | null;
  onHighValue: (dollars: number | null) => void;
};

const KEYS = { A: "act", L: "looks right", U: "undo" };

/** The header of the rows that need review: how many rows are left, and the high-value threshold. */
export function ReviewHead({ progress: { left, worked }, highValue, onHighValue }: ReviewHeadProps) {
  const all = left + worked;
  return (
    <Group component="section" className={styles.head ?? ""} gap="6px 16px" fz="sm" aria-label="Needs review">
      <Group component="h2" gap={8} align="baseline" m={0} fz="md" fw={650}>
        Needs review
        <Text span inherit className={styles.count ?? ""} c={left === 0 ? "var(--sd-good-text)" : "var(--sd-accent)"}>
          {formatCount(left)} left
        </Text>
      </Group>
      {worked > 0 && (
        <Group component="span" gap={8} c="dimmed" className={styles.count ?? ""}>
          <Progress
            value={(100 * worked) / all}
            size={5}
            w={88}
            radius={3}
            color="var(--sd-good)"
            bg="var(--sd-fill)"
            transitionDuration={160}
            aria-hidden="true"
          />
          {formatCount(worked)} of {formatCount(all)} worked
        </Group>
      )}
      <Group component="span" className={styles.keys ?? ""} gap={12} c="dimmed" aria-hidden="true">
        {Object.entries(KEYS).map(([key, meaning]) => (
          <Group component="span" key={key} gap={5}>
            <KeyHint>{key}</KeyHint> {meaning}
          </Group>
        ))}
      </Group>
      <Group component="span" gap={8} ms="auto" c="dimmed" wrap="nowrap">
        <span aria-hidden="true">High value from</span>
        <HighValue key={highValue} highValue={highValue} onChange={onHighValue} />
      </Group>
      <VisuallyHidden>
        <output aria-live="polite">{left === 0 ? "Nothing to review" : `${formatCount(left)} left`}</output>
      </VisuallyHidden>
    </Group>
  );
}

type HighValueProps = { highValue: number | null; onChange: (dollars: number | null) => void };

/**
 * Applies the value once typing is finished, so that the count doesn't change with each digit. Text that isn't an amount
 * is replaced by the present value.
 */
function HighValue({ highValue, onChange }: HighValueProps) {
  const present = highValue === null ? "" : `$${formatCount(highValue)}`;
  const [text, setText] = useState(present);
  const settle = (): void => {
    const reading = parsePrice(text);
    const dollars = reading.kind === "amount" ? Math.min(Math.max(0, reading.amount), HIGHEST_VALUE) : null;
    if (reading.kind === "unreadable" || dollars === highValue) setText(present);
    else onChange(dollars);
  };
  return (
    <TextInput
      size="xs"
      w={104}
      className={styles.amount ?? ""}
      inputMode="decimal"
      aria-label="High value from, in dollars"
      placeholder="Off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === "Enter") settle();
      }}
    />
  );
}
