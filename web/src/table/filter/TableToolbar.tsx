import { Group, Input, Kbd } from "@mantine/core";
import { type ReactNode, type Ref, startTransition, useOptimistic } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { FILTER_LABELS, type FilterCounts, type HiddenMatches, offeredFilters, prepareFind } from "./row-filter.ts";
import type { TableControl } from "./use-table-control.ts";
import styles from "./TableToolbar.module.css";
import { counted, formatCount } from "../../ui/format-numbers.ts";

type TableToolbarProps = {
  all: RowsSnapshot;
  counts: FilterCounts;
  findRef: Ref<HTMLInputElement>;
  control: TableControl;
  hiddenMatches: HiddenMatches | null;
  children: ReactNode;
};

/** Find box and table actions, and below them the filters in one line that scrolls. The layout never changes. */
export function TableToolbar({ findRef, all, control, counts, hiddenMatches, children }: TableToolbarProps) {
  const { filter } = control;
  const offered = offeredFilters(counts, filter);
  return (
    <Group gap={8} className={styles.toolbar}>
      <FindBox findRef={findRef} all={all} control={control} />
      <Group gap={8} ms="auto" className={styles.actions}>
        {children}
      </Group>
      <Group gap={12} wrap="nowrap" flex="1 0 100%" miw={0} className={styles.second ?? ""}>
        <Group
          component="fieldset"
          gap={6}
          miw={0}
          wrap="nowrap"
          style={{ overflowX: "auto", scrollbarWidth: "none" }}
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
              {FILTER_LABELS.get(name)} {formatCount(counts[name] ?? 0)}
            </button>
          ))}
        </Group>
        <output className={styles.hidden} aria-live="polite">
          {hiddenMatches &&
            `${counted(hiddenMatches.count, "row matches", "rows match")} in what no column shows: ${hiddenMatches.fields.join(", ")}`}
        </output>
      </Group>
    </Group>
  );
}

type FindBoxProps = Pick<TableToolbarProps, "findRef" | "all" | "control">;

/** Shows what is typed before the table, which can take longer, shows what it found. */
function FindBox({ findRef, all, control }: FindBoxProps) {
  const [find, setTyped] = useOptimistic(control.find);
  const setFind = (text: string): void =>
    startTransition(() => {
      setTyped(text);
      control.setFind(text);
    });
  return (
    <Input
      ref={findRef}
      className={styles.find}
      type="search"
      aria-label="Find in these results"
      aria-keyshortcuts="/"
      placeholder="Find in these results"
      value={find}
      onFocus={() => void prepareFind(all)}
      onChange={(event) => setFind(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && find !== "") {
          event.stopPropagation();
          setFind("");
        }
      }}
      rightSection={
        find === "" && (
          <span className={styles.findKey}>
            <Kbd>/</Kbd>
          </span>
        )
      }
      rightSectionPointerEvents="none"
    />
  );
}
