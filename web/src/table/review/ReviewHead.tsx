import "@mantine/core/styles/Menu.layer.css";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { inReviewOrder, type ReviewKind } from "@slabdesk/contract/review/reasons.ts";
import { parsePrice } from "@slabdesk/contract/sheet/price.ts";
import { Button, Group, Kbd, Menu, Progress, Text, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { formatCount } from "../../ui/format-numbers.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { RowsItem } from "../row/RowsItem.tsx";
import styles from "./review.module.css";
import { HIGHEST_VALUE, type ReasonsOf, type ReviewProgress, type ReviewThresholds } from "./use-review-reasons.ts";

type KindsProps = { all: RowsSnapshot; reasonsOf: ReasonsOf; onReviewed: (rows: RowsSnapshot) => void };
type ReviewHeadProps = KindsProps & {
  progress: ReviewProgress;
  thresholds: ReviewThresholds;
  onThresholds: (change: Partial<ReviewThresholds>) => void;
};

const HEAD = { borderBottom: "1px solid var(--sd-line)", fontVariantNumeric: "tabular-nums" };
const KEYS = { A: "act", L: "looks right", U: "undo" };
const THRESHOLDS = [
  ["doubtsFrom", "Price doubts from"],
  ["highValue", "High value from"],
] as const;

/** The header of the rows that need review: how many are left, all of one kind at once, and the thresholds. */
export function ReviewHead({ progress: { left, worked }, thresholds, onThresholds, ...kinds }: ReviewHeadProps) {
  return (
    <Group
      component="section"
      flex="none"
      gap="6px 16px"
      mih={44}
      p="6px 14px"
      fz="sm"
      style={HEAD}
      aria-label="Needs review"
    >
      <Group component="h2" gap={8} align="baseline" fz="md" fw={650}>
        Needs review
        <Text span inherit c={left === 0 ? "var(--sd-good-text)" : "var(--sd-accent)"}>
          {formatCount(left)} left
        </Text>
      </Group>
      {worked > 0 && (
        <Group component="span" gap={8} c="dimmed">
          <Progress
            value={(100 * worked) / (left + worked)}
            size={5}
            w={88}
            radius={3}
            color="var(--sd-good)"
            bg="var(--sd-fill)"
            transitionDuration={160}
            aria-hidden="true"
          />
          {formatCount(worked)} of {formatCount(left + worked)} reviewed
        </Group>
      )}
      <Group component="span" className={styles.keys ?? ""} gap={12} c="dimmed" aria-hidden="true">
        {Object.entries(KEYS).map(([key, meaning]) => (
          <Group component="span" key={key} gap={5}>
            <Kbd>{key}</Kbd> {meaning}
          </Group>
        ))}
      </Group>
      <Group gap="6px 12px" ms="auto">
        {left > 0 && (
          <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button size="compact-sm" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
                Mark all of a kind
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Mark all of this kind as reviewed</Menu.Label>
              <Kinds {...kinds} />
            </Menu.Dropdown>
          </Menu>
        )}
        {THRESHOLDS.map(([name, label]) => (
          <Threshold
            key={`${name} ${thresholds[name]}`}
            label={label}
            dollars={thresholds[name]}
            onChange={(dollars) => onThresholds({ [name]: dollars })}
          />
        ))}
      </Group>
      <VisuallyHidden>
        <output aria-live="polite">{left === 0 ? "Nothing to review" : `${formatCount(left)} left`}</output>
      </VisuallyHidden>
    </Group>
  );
}

/** Rendered only while the menu is open, because the rows change with each event. */
function Kinds({ all, reasonsOf, onReviewed }: KindsProps) {
  const kinds = useMemo(() => rowsByKind(all, reasonsOf), [all, reasonsOf]);
  return [...kinds].map(([kind, ofKind]) => (
    <RowsItem key={kind} label={kind} rows={ofKind} onChoose={() => onReviewed(ofKind)} />
  ));
}

const KIND_LABELS: Record<Exclude<ReviewKind, "failed">, string> = {
  differs: "Differs from the sheet",
  twice_open: "In another open session",
  price_in_doubt: "Unclear cost",
  same_sides: "Same image on both sides",
  no_image: "No image",
  one_side: "Image of one side only",
  sources_disagree: "Sources disagree",
  low_confidence: "Low price confidence",
  no_answer_on_price: "Price not fetched",
  high_value: "High value",
};

/** Rows whose review reasons are all of one kind, grouped by kind. Failures are grouped by cause. */
export function rowsByKind(rows: RowsSnapshot, reasonsOf: ReasonsOf): Map<string, RowsSnapshot> {
  const kindOf = (row: ResultRow): string => {
    const [first, ...others] = reasonsOf(row);
    if (!first || others.some(({ kind }) => kind !== first.kind)) return "";
    return first.kind === "failed" ? first.message : KIND_LABELS[first.kind];
  };
  const kinds = Map.groupBy(inReviewOrder(rows, reasonsOf), kindOf);
  kinds.delete("");
  return kinds;
}

type ThresholdProps = { label: string; dollars: number | null; onChange: (dollars: number | null) => void };

/** Applied once typing is finished. Text that isn't an amount is replaced by the present value. */
function Threshold({ label, dollars: present, onChange }: ThresholdProps) {
  const shown = present === null ? "" : `$${formatCount(present)}`;
  const [text, setText] = useState(shown);
  const settle = (): void => {
    const reading = parsePrice(text);
    const dollars = reading.kind === "amount" ? Math.min(Math.max(0, reading.amount), HIGHEST_VALUE) : null;
    if (reading.kind === "unreadable" || dollars === present) setText(shown);
    else onChange(dollars);
  };
  return (
    <Group component="span" gap={8} c="dimmed" wrap="nowrap">
      <span aria-hidden="true">{label}</span>
      <TextInput
        size="xs"
        w={84}
        className={styles.amount ?? ""}
        inputMode="decimal"
        aria-label={`${label}, in dollars`}
        placeholder="Off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key === "Enter") settle();
        }}
      />
    </Group>
  );
}
