import { Button, Center } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import styles from "./DataTable.module.css";
import visuallyHidden from "./text/VisuallyHidden.module.css";

type Id = string | number;

export type DataColumn<Row> = {
  header: string;
  /** The cell's grid area on a row's card. */
  area: string;
  /** The CSS width in the table. */
  width?: string;
  /** The class of the header and the cells. */
  className?: string | undefined;
  isRowHeader?: boolean;
  /** The full text of a cell that may be cut off. */
  title?: (row: Row) => string | undefined;
  cell: (row: Row) => ReactNode;
};

type DataTableProps<Row> = {
  /** The accessible name, unless the table's region names it. */
  label?: string;
  className: string | undefined;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  /** The CSS width up to which each row is a card, and the `grid-template` of a card. */
  cards: { upTo: string; template: string };
  /** The row to mark and scroll into view. */
  markedId?: Id | null;
  /** True while the rows of the previous filter are shown. */
  isOutdated?: boolean;
  listRef?: Ref<HTMLDivElement>;
  /** Shown in place of the table while rows load, if loading fails, or if there are none. */
  placeholder?: ReactNode;
  /** Shown below the rows if loading more has failed. */
  problem?: ReactNode;
  /** Null if all rows are shown. */
  onShowMore?: (() => void) | null;
  isLoadingMore?: boolean;
};

/** A list of records as a table; in a narrow window, as cards. */
export function DataTable<Row extends { id: Id }>(props: DataTableProps<Row>): ReactNode {
  const { label, className, columns, rows, cards, markedId = null, isOutdated = false } = props;
  const { listRef, placeholder, problem, onShowMore = null, isLoadingMore = false } = props;
  const isCards = useMediaQuery(`(max-width: ${cards.upTo})`, undefined, { getInitialValueInEffect: false });
  const marked = useRef<HTMLTableRowElement>(null);
  const lookOf = ({ className, area, width }: Pick<DataColumn<Row>, "className" | "area" | "width">) => ({
    className,
    style: isCards ? { gridArea: area } : { width },
  });
  const isMarkedShown = rows.some(({ id }) => id === markedId);
  useEffect(() => {
    if (isMarkedShown && markedId !== null) marked.current?.scrollIntoView({ block: "center" });
  }, [markedId, isMarkedShown]);
  return (
    <>
      {rows.length === 0 && placeholder}
      {rows.length > 0 && (
        <div ref={listRef} tabIndex={-1} className={styles.list} data-outdated={isOutdated || undefined}>
          <table className={`${styles.table} ${className}`} aria-label={label} data-cards={isCards || undefined}>
            <thead className={isCards ? visuallyHidden.hidden : undefined}>
              <tr>
                {columns.map((column) => (
                  <th key={column.header} scope="col" {...lookOf(column)}>
                    {column.header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr
                  key={row.id}
                  ref={row.id === markedId ? marked : undefined}
                  data-id={row.id}
                  aria-current={row.id === markedId || undefined}
                  style={isCards ? { gridTemplate: cards.template } : undefined}
                >
                  {columns.map(({ header, cell, title, isRowHeader = false, ...look }) => {
                    const Cell = isRowHeader ? "th" : "td";
                    return (
                      <Cell key={header} scope={isRowHeader ? "row" : undefined} title={title?.(row)} {...lookOf(look)}>
                        {cell(row)}
                      </Cell>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {problem}
      {onShowMore !== null && !problem && (
        <Center p="sm" style={{ borderTop: "1px solid var(--sd-line)" }}>
          <Button size="xs" loading={isLoadingMore} onClick={onShowMore}>
            Show more
          </Button>
        </Center>
      )}
    </>
  );
}
