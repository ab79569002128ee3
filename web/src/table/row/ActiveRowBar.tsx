import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { Button, Group, Kbd, Text } from "@mantine/core";
import { rowActions } from "../../card/row-actions.ts";
import { rowMessage, rowRemarks, rowTitle } from "../../card/row-messages.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import type { RowContext } from "./row-context.ts";
import tones from "./tone.module.css";
import styles from "./RowBar.module.css";

/** The active row's full message and actions, or the keys. The message is hidden from screen readers: the row has it. */
export function ActiveRowBar({ row, context }: { row: ResultRow | null; context: RowContext }) {
  return (
    <div className={styles.bar}>
      <Group gap="2px 12px" miw={0} aria-hidden="true">
        {row === null ? <Keys /> : <RowDetails row={row} context={context} />}
      </Group>
      {row && <RowButtons row={row} context={context} />}
    </div>
  );
}

function RowButtons({ row, context }: { row: ResultRow; context: RowContext }) {
  const history = { key: "W", label: "History", run: () => context.onOpen(row, "history") };
  return [...rowActions(row, context), history].map(({ key, label, run }) => (
    <Button key={label} size="compact-xs" onClick={run}>
      {label} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
      <KeyCap>{key}</KeyCap>
    </Button>
  ));
}

function RowDetails({ row, context: { isRunning, describeError } }: { row: ResultRow; context: RowContext }) {
  const { tone, label, hint, fullMessage } = rowMessage(row, isRunning);
  const box = isError(row) ? (describeError?.(row) ?? null) : null;
  const isAboutCard = tone === "plain" || tone === "good";
  return (
    <>
      <Text span fz="inherit" c="dimmed">
        Line {row.line}
      </Text>
      {label !== null && (
        <Text span inherit className={tones.tone ?? ""} c="var(--tone-text)" fw={650} data-tone={tone}>
          {box?.title ?? label}
        </Text>
      )}
      <span>{isAboutCard ? rowTitle(row) : (box?.message ?? fullMessage ?? hint ?? row.certNumber)}</span>
      {rowRemarks(row).map(({ kind, message }) => (
        <span key={message} className={tones.remark} data-kind={kind}>
          {message}
        </span>
      ))}
    </>
  );
}

const KEYS: readonly [string, string][] = [
  ["↑ ↓", "move"],
  ["Enter", "open the card"],
  ["Space", "photos"],
  ["P", "prices"],
  ["X", "select"],
  ["C", "copy the number"],
  ["/", "find"],
  ["?", "all keys"],
];

function Keys() {
  return KEYS.map(([key, meaning]) => (
    <span key={key} className={styles.key}>
      <Kbd>{key}</Kbd> {meaning}
    </span>
  ));
}

/** A button's key. Not for screen readers, and hidden on a touch screen. */
export function KeyCap({ children }: { children: string }) {
  return (
    <span className={styles.cap} aria-hidden="true">
      <Kbd>{children}</Kbd>
    </span>
  );
}
