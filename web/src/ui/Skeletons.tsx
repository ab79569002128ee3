import type { ReactNode } from "react";
import styles from "./Skeletons.module.css";

/** A gray bar as a placeholder for text. */
export function GhostLine({ width }: { width: string }): ReactNode {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />;
}

type GhostRowsProps = {
  count: number;
  /** The CSS height of one row; match the real rows to avoid a layout shift. */
  rowHeight: string;
  /** The accessible name of what is loading. */
  label: string;
};

/** A placeholder for a list that is loading. */
export function GhostRows({ count, rowHeight, label }: GhostRowsProps): ReactNode {
  const rows = Array.from({ length: count }, (_, index) => ({
    key: `row-${index}`,
    width: `${52 - ((index * 13) % 24)}%`,
  }));
  return (
    <div>
      <output className={styles.spoken}>{label}</output>
      {rows.map(({ key, width }) => (
        <div className={styles.row} style={{ height: rowHeight }} key={key}>
          <GhostLine width={width} />
          <GhostLine width="4rem" />
        </div>
      ))}
    </div>
  );
}
