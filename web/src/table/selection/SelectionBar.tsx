import { canRetry, isFound } from "@slabdesk/contract/review/row-state.ts";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Fragment, useMemo } from "react";
import { KeyHint } from "../../ui/KeyHint.tsx";
import { copyCerts } from "../row/copy-certs.ts";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { count } from "../prices/price-messages.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { SelectionExport, SelectionExports } from "./selection-export.ts";
import styles from "./selection.module.css";
import { useSelectionActions } from "./use-selection-actions.ts";
import type { RowSelection } from "./use-selection.ts";

type SelectionBarProps = {
  selection: RowSelection;
  onClear: () => void;
  reasonsOf: ReasonsOf;
  onReviewed: (rows: RowsSnapshot) => void;
  /** Whether any price source is on. */
  hasPrices: boolean;
  /** Export formats, grouped by purpose; empty to offer no export. */
  exportChoices: SelectionExports;
};

/** Actions for the selected rows. Replaces the active row's bar. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, onClear, reasonsOf, onReviewed, hasPrices, exportChoices } = props;
  const { rows, hiddenCount } = selection;
  const { isBusy, retry, reprice, save } = useSelectionActions();
  const failed = useMemo(() => rows.filter(canRetry), [rows]);
  const found = useMemo(() => rows.filter(isFound), [rows]);
  const unreviewed = useMemo(() => rows.filter((row) => reasonsOf(row).length > 0), [rows, reasonsOf]);
  return (
    <section className={styles.bar} aria-label="Selected rows">
      <output className={styles.count}>{count(rows.length)} selected</output>
      {hiddenCount > 0 && <span className={styles.hidden}>{count(hiddenCount)} of them not shown</span>}
      {failed.length > 0 && (
        <Button size="compact-xs" aria-disabled={isBusy} onClick={() => retry(failed)}>
          Retry {count(failed.length)}
        </Button>
      )}
      {hasPrices && found.length > 0 && (
        <Button size="compact-xs" aria-disabled={isBusy} onClick={() => reprice(found)}>
          Reprice {count(found.length)}
        </Button>
      )}
      {exportChoices.length > 0 && <ExportSelected choices={exportChoices} onChoose={(choice) => save(rows, choice)} />}
      <Button size="compact-xs" onClick={() => void copyCerts(rows)}>
        Copy certs
      </Button>
      {unreviewed.length > 0 && (
        <Button size="compact-xs" onClick={() => onReviewed(unreviewed)}>
          Mark {count(unreviewed.length)} as looked at
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" className={styles.end ?? ""} onClick={onClear}>
        Clear
        <span className={styles.cap} aria-hidden="true">
          <KeyHint>Esc</KeyHint>
        </span>
      </Button>
    </section>
  );
}

type ExportSelectedProps = { choices: SelectionExports; onChoose: (choice: SelectionExport) => void };

function ExportSelected({ choices: groups, onChoose }: ExportSelectedProps) {
  return (
    <Menu
      withInitialFocusPlaceholder={false}
      position="top-start"
      width={270}
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
    >
      <Menu.Target>
        <Button size="compact-xs" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ""}>
        {groups.map(({ title, choices }, index) => (
          <Fragment key={title}>
            {index > 0 && <Menu.Divider />}
            <Menu.Label>{title}</Menu.Label>
            {choices.map((choice) => (
              <Menu.Item key={choice.label} onClick={() => onChoose(choice)}>
                <span className={styles.choice}>{choice.label}</span>
                <span className={styles.note}>{choice.note}</span>
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
