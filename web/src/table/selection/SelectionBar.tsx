import "@mantine/core/styles/Menu.layer.css";
import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { canRetry, isFound } from "@slabdesk/contract/review/row-state.ts";
import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { counted, formatCount } from "../../ui/format-numbers.ts";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import { ExportMenu } from "../download/ExportMenu.tsx";
import { RowsItem } from "../row/RowsItem.tsx";
import { KeyCap } from "../row/ActiveRowBar.tsx";
import styles from "../row/RowBar.module.css";
import type { Reviewed } from "../review/use-review-actions.ts";
import type { RowContext } from "../row/row-context.ts";
import type { EditedField } from "./EditDialog.tsx";
import { copyCerts, fitting, type SelectionActions, useSelectionActions } from "./use-selection-actions.ts";
import type { RowSelection } from "./use-selection.ts";

const EditDialog = lazyPart(async () => (await import("./EditDialog.tsx")).EditDialog);

type SelectionBarProps = { selection: RowSelection; context: RowContext; reviewed: Reviewed; onClear: () => void };

/** Actions for the selected rows. Replaces the active row's bar. */
export function SelectionBar({ selection, context, reviewed, onClear }: SelectionBarProps) {
  const { rows, hiddenCount } = selection;
  const { reasonsOf } = context;
  const actions = useSelectionActions();
  const [edited, setEdited] = useState<EditedField>("cost");
  const [isEditing, setIsEditing] = useState(false);
  const failed = useMemo(() => rows.filter(canRetry), [rows]);
  const found = useMemo(() => rows.filter(isFound), [rows]);
  const unreviewed = useMemo(() => rows.filter((row) => reasonsOf(row).length > 0), [rows, reasonsOf]);
  const edit = (field: EditedField): void => {
    setEdited(field);
    setIsEditing(true);
  };
  return (
    <section className={styles.selection} aria-label="Selected rows">
      <Text component="output" inherit me={4} fw={650}>
        {formatCount(rows.length)} selected
      </Text>
      {hiddenCount > 0 && (
        <Text span fz="inherit" c="var(--sd-neutral)" me={4}>
          {formatCount(hiddenCount)} of them not shown
        </Text>
      )}
      {failed.length > 0 && (
        <Button size="compact-xs" aria-disabled={actions.isBusy} onClick={() => actions.retry(failed)}>
          Retry {formatCount(failed.length)}
        </Button>
      )}
      {context.onGetPrice !== null && found.length > 0 && (
        <Button size="compact-xs" aria-disabled={actions.isBusy} onClick={() => actions.reprice(found)}>
          Get {formatCount(found.length)} {found.length === 1 ? "price" : "prices"}
        </Button>
      )}
      <Menu position="top-start" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button size="compact-xs" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
            Edit
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <EditItems rows={rows} actions={actions} onEdit={edit} />
        </Menu.Dropdown>
      </Menu>
      <OnceOpen isOpen={isEditing}>
        <EditDialog field={edited} rows={rows} isOpen={isEditing} onClose={() => setIsEditing(false)} />
      </OnceOpen>
      <ExportMenu position="top-start" getRows={() => rows} onChoose={(choice) => actions.save(rows, choice)}>
        <Button size="compact-xs" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
          Export
        </Button>
      </ExportMenu>
      <Button size="compact-xs" onClick={() => void copyCerts(rows)}>
        Copy certs
      </Button>
      {unreviewed.length > 0 && (
        <Button size="compact-xs" onClick={() => reviewed.mark(unreviewed)}>
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

type EditItemsProps = { rows: RowsSnapshot; actions: SelectionActions; onEdit: (field: EditedField) => void };

/** Rendered only while the menu is open, because it judges the rows. */
function EditItems({ rows, actions, onEdit }: EditItemsProps) {
  const companies = COMPANIES.map((company) => ({ company, rows: fitting(rows, company) })).filter(
    ({ rows }) => rows.length > 0,
  );
  const confirmRemoval = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: `Remove ${counted(rows.length, "row")}?`,
      message: `Their results, photos, costs and notes are deleted from this session. The file on your computer stays as it is.`,
      confirmLabel: "Remove",
      isDestructive: true,
    });
    if (isSure) actions.remove(rows);
  };
  return (
    <>
      <Menu.Item onClick={() => onEdit("cost")}>Set cost…</Menu.Item>
      <Menu.Item onClick={() => onEdit("notes")}>Set notes…</Menu.Item>
      {companies.length > 0 && (
        <>
          <Menu.Divider />
          <Menu.Label>Look up failed rows at</Menu.Label>
        </>
      )}
      {companies.map(({ company, rows }) => (
        <RowsItem key={company} label={company} rows={rows} onChoose={() => actions.setCompany(rows, company)} />
      ))}
      <Menu.Divider />
      <Menu.Item color="var(--sd-bad)" onClick={() => void confirmRemoval()}>
        Remove…
      </Menu.Item>
    </>
  );
}
