import { Input } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { KeyHint } from "../../ui/KeyHint.tsx";
import { FILTER_LABELS, offeredFilters, type RowFilter } from "./row-filter.ts";
import styles from "./TableToolbar.module.css";

type TableToolbarProps = {
  findRef: Ref<HTMLInputElement>;
  find: string;
  onFind: (find: string) => void;
  filter: RowFilter;
  counts: Record<RowFilter, number>;
  onFilter: (filter: RowFilter) => void;
  children: ReactNode;
};

/** With more filters than this, the filters move to a second line. */
const FILTERS_BESIDE = 3;

/** Find box and filters on the left, table actions on the right. */
export function TableToolbar({ findRef, find, onFind, filter, counts, onFilter, children }: TableToolbarProps) {
  const offered = offeredFilters(counts, filter);
  return (
    <div className={styles.toolbar} data-many={offered.length > FILTERS_BESIDE || undefined}>
      <Input
        ref={findRef}
        className={styles.find}
        classNames={{ input: styles.findInput ?? "" }}
        type="search"
        aria-label="Find in these results"
        aria-keyshortcuts="/"
        placeholder="Find in these results"
        value={find}
        onChange={(event) => onFind(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && find !== "") {
            event.stopPropagation();
            onFind("");
          }
        }}
        rightSection={
          find === "" ? (
            <span className={styles.findKey}>
              <KeyHint>/</KeyHint>
            </span>
          ) : undefined
        }
        rightSectionPointerEvents="none"
      />
      <fieldset className={styles.filters} aria-label="Which rows are shown">
        {offered.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.filter}
            aria-pressed={filter === name}
            onClick={() => onFilter(name)}
          >
            {FILTER_LABELS[name]} <span className={styles.count}>{counts[name].toLocaleString("en-US")}</span>
          </button>
        ))}
      </fieldset>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}
