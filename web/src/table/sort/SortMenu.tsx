import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { COLUMN_HEADERS } from "../columns/columns.tsx";
import type { TableSort } from "./row-sorter.ts";
import styles from "./SortMenu.module.css";

type SortMenuProps = {
  sort: TableSort | null;
  /** The sortable columns. */
  columnIds: readonly string[];
  onSort: (sort: TableSort | null) => void;
};

const SHEET_ORDER = "";

/** Sorts the cards on a phone, where there are no headers. */
export function SortMenu({ sort, columnIds, onSort }: SortMenuProps) {
  const direction = sort?.direction ?? "ascending";
  const Icon = direction === "ascending" ? IconSortAscending : IconSortDescending;
  return (
    <div className={styles.menu}>
      <NativeSelect
        size="xs"
        className={styles.column ?? ""}
        aria-label="Sort by"
        value={sort?.columnId ?? SHEET_ORDER}
        data={[
          { value: SHEET_ORDER, label: "Sort: order of the sheet" },
          ...columnIds.map((id) => ({ value: id, label: `Sort: ${COLUMN_HEADERS.get(id) ?? id}` })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onSort(value === SHEET_ORDER ? null : { columnId: value, direction: "ascending" })
        }
      />
      {sort !== null && (
        <ActionIcon
          className={styles.direction ?? ""}
          aria-label={direction === "ascending" ? "Sort descending" : "Sort ascending"}
          onClick={() => onSort({ ...sort, direction: direction === "ascending" ? "descending" : "ascending" })}
        >
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  );
}
