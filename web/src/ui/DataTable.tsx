import { Box } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type CSSProperties, type ReactNode, type Ref, useEffect, useRef } from "react";
import styles from "./DataTable.module.css";
import visuallyHidden from "./text/VisuallyHidden.module.css";

/** By the name of the column, which is the class of its cells and their grid area on a row's card. */
export type DataColumns<Row> = Readonly<Record<string, DataColumn<Row>>>;

type DataColumn<Row> = {
  header: string;
  isRowHeader?: boolean;
  /** The column's style in the table, with its header. */
  style?: CSSProperties;
  /** The style of its cells in the table. */
  cellStyle?: CSSProperties;
  /** The style of its cells on a card. */
  cardStyle?: CSSProperties;
  /** The full text of a cell that may be cut off. */
  title?: (row: Row) => string | undefined;
  cell: (row: Row) => ReactNode;
};

export type DataTableProps<Row> = {
  /** The accessible name, unless that of its panel is enough. */
  label?: string;
  /** The class of the table is `table`. */
  classes: CSSModuleClasses;
  columns: DataColumns<Row>;
  /** The CSS width up to which each row is a card, and the `grid-template` of a card. */
  cards: { upTo: string; template: string };
  /** The row to mark and scroll into view. */
  markedId?: string | null;
  listRef?: Ref<HTMLDivElement>;
  rows: readonly Row[];
  /** Rows of an earlier filter, dimmed. */
  isOutdated: boolean;
};

/** A list of records as a table; in a narrow window, as cards. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, classes, columns, rows, cards, markedId = null, isOutdated, listRef } = props;
  const isCards = useMediaQuery(`(max-width: ${cards.upTo})`, undefined, { getInitialValueInEffect: false });
  const marked = useRef<HTMLTableRowElement>(null);
  const areas = Object.entries(columns).map(([area, { style, cellStyle, cardStyle, ...column }]) => ({
    ...column,
    headerStyle: isCards ? undefined : style,
    place: { className: classes[area], style: isCards ? { gridArea: area, ...cardStyle } : { ...style, ...cellStyle } },
  }));
  const isMarkedShown = rows.some(({ id }) => id === markedId);
  useEffect(() => {
    if (isMarkedShown && markedId !== null) marked.current?.scrollIntoView({ block: "center" });
  }, [markedId, isMarkedShown]);
  return (
    <Box
      ref={listRef}
      tabIndex={-1}
      pos="relative"
      opacity={isOutdated ? 0.55 : 1}
      style={{ outline: "none", transition: "opacity 120ms ease" }}
    >
      <table className={`${styles.table} ${classes.table}`} aria-label={label} data-cards={isCards || undefined}>
        <thead className={isCards ? visuallyHidden.hidden : undefined}>
          <tr>
            {areas.map(({ header, headerStyle, place }) => (
              <th key={header} scope="col" className={place.className} style={headerStyle}>
                {header}
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
              {areas.map(({ header, cell, title, isRowHeader = false, place }) => {
                const Cell = isRowHeader ? "th" : "td";
                return (
                  <Cell key={header} scope={isRowHeader ? "row" : undefined} title={title?.(row)} {...place}>
                    {cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
