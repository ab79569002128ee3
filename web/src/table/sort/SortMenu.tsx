import { ActionIcon, Group, NativeSelect } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { headerOf } from "../columns/columns.tsx";
import type { TableSort } from "./row-sorter.ts";

type SortMenuProps = {
  sort: TableSort | null;
  columnIds: readonly string[];
  onSort: (sort: TableSort | null) => void;
};

const SHEET_ORDER = "";

/** Sorts the cards on a phone, where there are no headers. */
export function SortMenu({ sort, columnIds, onSort }: SortMenuProps) {
  const direction = sort?.direction ?? "ascending";
  const Icon = direction === "ascending" ? IconSortAscending : IconSortDescending;
  return (
    <Group gap={6} w="100%" wrap="nowrap">
      <NativeSelect
        size="xs"
        flex={1}
        styles={{ input: { minHeight: 44 } }}
        aria-label="Sort by"
        value={sort?.columnId ?? SHEET_ORDER}
        data={[
          { value: SHEET_ORDER, label: "Sort: order of the sheet" },
          ...columnIds.map((id) => ({ value: id, label: `Sort: ${headerOf(id)}` })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onSort(value === SHEET_ORDER ? null : { columnId: value, direction: "ascending" })
        }
      />
      {sort !== null && (
        <ActionIcon
          size={44}
          aria-label={direction === "ascending" ? "Sort descending" : "Sort ascending"}
          onClick={() => onSort({ ...sort, direction: direction === "ascending" ? "descending" : "ascending" })}
        >
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </Group>
  );
}
