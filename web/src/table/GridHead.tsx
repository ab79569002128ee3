import { useRef, useState } from "react";
import { ResizeHandle } from "./ResizeHandle.tsx";
import styles from "./ResultsGrid.module.css";
import type { ColumnLayout } from "./use-column-layout.ts";

/** The header of the grid. The edges of its columns are one stop of the Tab key: the one that was used last. */
export function GridHead({ columns, totalWidth }: { columns: readonly ColumnLayout[]; totalWidth: number }) {
  const head = useRef<HTMLTableSectionElement>(null);
  const [lastUsed, setLastUsed] = useState<string | null>(null);
  const resizable = columns.filter((column) => column.resizing);
  const stop = resizable.find((column) => column.id === lastUsed) ?? resizable[0];

  const focusEdge = (index: number): void => {
    const id = resizable[index]?.id;
    if (id !== undefined) head.current?.querySelector<HTMLInputElement>(`[data-column="${id}"] input`)?.focus();
  };
  return (
    <thead ref={head} className={styles.head} style={{ minWidth: totalWidth }}>
      <tr aria-rowindex={1} className={styles.headRow}>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-colindex={column.position}
            aria-label={column.header}
            className={styles.headCell}
            data-column={column.id}
            data-pinned={column.isPinned || undefined}
            data-edge={column.isLastPinned || undefined}
            data-align={column.align}
            style={column.style}
          >
            <span className={styles.headText}>{column.header}</span>
            {column.resizing && (
              <ResizeHandle
                column={column}
                resizing={column.resizing}
                tabIndex={column === stop ? 0 : -1}
                onFocus={() => setLastUsed(column.id)}
                onMove={(step) => focusEdge(resizable.indexOf(column) + step)}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}
