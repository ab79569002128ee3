import { canRetry, isFound } from "@slabdesk/contract/review/row-state.ts";
import { Button, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMemo } from "react";
import { ExportMenu } from "../download/ExportMenu.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import styles from "../grid/RowBar.module.css";
import { KeyCap } from "../grid/KeyCap.tsx";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { copyCerts } from "../row/copy-certs.ts";
import { useSelectionActions } from "./use-selection-actions.ts";
import type { RowSelection } from "./use-selection.ts";
import { formatCount } from "../../ui/format-numbers.ts";

type SelectionBarProps = {
  selection: RowSelection;
  onClear: () => void;
  reasonsOf: ReasonsOf;
  onReviewed: (rows: RowsSnapshot) => void;
  /** Whether any price source is on. */
  hasPrices: boolean;
};

/** Actions for the selected rows. Replaces the active row's bar. */
export function SelectionBar({ selection, onClear, reasonsOf, onReviewed, hasPrices }: SelectionBarProps) {
  const { rows, hiddenCount } = selection;
  const { isBusy, retry, reprice, save } = useSelectionActions();
  const failed = useMemo(() => rows.filter(canRetry), [rows]);
  const found = useMemo(() => rows.filter(isFound), [rows]);
  const unreviewed = useMemo(() => rows.filter((row) => reasonsOf(row).length > 0), [rows, reasonsOf]);
  return (
    <section className={styles.selection} aria-label="Selected rows">
      <output className={styles.count}>{formatCount(rows.length)} selected</output>
      {hiddenCount > 0 && (
        <Text span fz="inherit" c="var(--sd-neutral)" me={4}>
          {formatCount(hiddenCount)} of them not shown
        </Text>
      )}
      {failed.length > 0 && (
        <Button size="compact-xs" aria-disabled={isBusy} onClick={() => retry(failed)}>
          Retry {formatCount(failed.length)}
        </Button>
      )}
      {hasPrices && found.length > 0 && (
        <Button size="compact-xs" aria-disabled={isBusy} onClick={() => reprice(found)}>
          Reprice {formatCount(found.length)}
        </Button>
      )}
      <ExportMenu position="top-start" getRows={() => rows} onChoose={(choice) => save(rows, choice)}>
        <Button size="compact-xs" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
          Export
        </Button>
      </ExportMenu>
      <Button size="compact-xs" onClick={() => void copyCerts(rows)}>
        Copy certs
      </Button>
      {unreviewed.length > 0 && (
        <Button size="compact-xs" onClick={() => onReviewed(unreviewed)}>
          Mark {formatCount(unreviewed.length)} as reviewed
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" ml="auto" onClick={onClear}>
        Clear
        <KeyCap>Esc</KeyCap>
      </Button>
    </section>
  );
}
