import { Group, Input } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { KeyHint } from "../../ui/KeyHint.tsx";
import { FILTER_LABELS, offeredFilters, type FilterCounts } from "./row-filter.ts";
import type { TableControl } from "./use-table-control.ts";
import styles from "./TableToolbar.module.css";
import { formatCount } from "../../ui/format-numbers.ts";

type TableToolbarProps = {
  findRef: Ref<HTMLInputElement>;
  control: TableControl;
  counts: FilterCounts;
  children: ReactNode;
};

/** With more filters than this, the filters move to a second line. */
const FILTERS_BESIDE = 3;

/** Find box and filters on the left, table actions on the right. */
export function TableToolbar({ findRef, control, counts, children }: TableToolbarProps) {
  const { find, filter } = control;
  const offered = offeredFilters(counts, filter);
  return (
    <Group gap={8} className={styles.toolbar} data-many={offered.length > FILTERS_BESIDE || undefined}>
      <Input
        ref={findRef}
        className={styles.find}
        type="search"
        aria-label="Find in these results"
        aria-keyshortcuts="/"
        placeholder="Find in these results"
        value={find}
        onChange={(event) => control.setFind(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && find !== "") {
            event.stopPropagation();
            control.setFind("");
          }
        }}
        rightSection={
          find === "" && (
            <span className={styles.findKey}>
              <KeyHint>/</KeyHint>
            </span>
          )
        }
        rightSectionPointerEvents="none"
      />
      <Group
        component="fieldset"
        gap={6}
        m={0}
        p={0}
        bd={0}
        miw={0}
        className={styles.filters}
        aria-label="Which rows are shown"
      >
        {offered.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.filter}
            aria-pressed={filter === name}
            onClick={() => control.setFilter(name)}
          >
            {FILTER_LABELS[name]} {formatCount(counts[name] ?? 0)}
          </button>
        ))}
      </Group>
      <Group gap={8} ms="auto" className={styles.actions}>
        {children}
      </Group>
    </Group>
  );
}
