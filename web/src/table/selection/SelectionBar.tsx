import "@mantine/core/styles/Menu.layer.css";
import { canRetry, isFound } from "@slabdesk/contract/review/row-state.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { ExportMenu } from "../download/ExportMenu.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import styles from "../grid/RowBar.module.css";
import { KeyCap } from "../grid/KeyCap.tsx";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { copyCerts } from "../row/copy-certs.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { lazyPart, OnceOpen } from "../../ui/lazy-part.tsx";
import type { EditedField } from "./EditDialog.tsx";
import { fitting, useSelectionActions } from "./use-selection-actions.ts";
import type { RowSelection } from "./use-selection.ts";
import { counted, formatCount } from "../../ui/format-numbers.ts";

const EditDialog = lazyPart(async () => (await import("./EditDialog.tsx")).EditDialog);

export type SelectionBarProps = {
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
  const { isBusy, retry, reprice, setCompany, remove, save } = useSelectionActions();
  const [edited, setEdited] = useState<EditedField>("cost");
  const [isEditing, setIsEditing] = useState(false);
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
          Get {formatCount(found.length)} {found.length === 1 ? "price" : "prices"}
        </Button>
      )}
      <EditMenu
        rows={rows}
        onEdit={(field) => {
          setEdited(field);
          setIsEditing(true);
        }}
        onCompany={(company) => setCompany(fitting(rows, company), company)}
        onRemove={() => remove(rows)}
      />
      <OnceOpen isOpen={isEditing}>
        <EditDialog field={edited} rows={rows} isOpen={isEditing} onClose={() => setIsEditing(false)} />
      </OnceOpen>
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

type EditMenuProps = {
  rows: RowsSnapshot;
  onEdit: (field: EditedField) => void;
  onCompany: (company: Company) => void;
  onRemove: () => void;
};

/** Sets the cost, the notes or the company of the selected rows, or removes the rows. */
function EditMenu(props: EditMenuProps) {
  return (
    <Menu position="top-start" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button size="compact-xs" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
          Edit
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <EditItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Rendered only while the menu is open, because it judges the rows. */
function EditItems({ rows, onEdit, onCompany, onRemove }: EditMenuProps) {
  const companies = COMPANIES.map((company) => ({ company, count: fitting(rows, company).length }));
  const confirmRemoval = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: `Remove ${counted(rows.length, "row")}?`,
      message: `Their results, photos, costs and notes are deleted from this session. The file on your computer stays as it is.`,
      confirmLabel: "Remove",
      isDestructive: true,
    });
    if (isSure) onRemove();
  };
  return (
    <>
      <Menu.Item onClick={() => onEdit("cost")}>Set cost…</Menu.Item>
      <Menu.Item onClick={() => onEdit("notes")}>Set notes…</Menu.Item>
      {companies.some(({ count }) => count > 0) && (
        <>
          <Menu.Divider />
          <Menu.Label>Look up failed rows at</Menu.Label>
          {companies
            .filter(({ count }) => count > 0)
            .map(({ company, count }) => (
              <Menu.Item
                key={company}
                onClick={() => onCompany(company)}
                rightSection={
                  <Text span c="dimmed" fz="xs">
                    {formatCount(count)}
                  </Text>
                }
              >
                {company}
              </Menu.Item>
            ))}
        </>
      )}
      <Menu.Divider />
      <Menu.Item color="var(--sd-bad)" onClick={() => void confirmRemoval()}>
        Remove…
      </Menu.Item>
    </>
  );
}
