import type { ReactNode } from "react";
import classes from "./Skeletons.module.css";

/** A grey bar where text will be. */
export function GhostLine({ width }: { width: string }): ReactNode {
  return <span className={classes.line} style={{ width }} aria-hidden="true" />;
}

type GhostRowsProps = {
  count: number;
  /** CSS height of one row, so that nothing jumps when the real ones come. */
  rowHeight: string;
  /** What is being loaded, for those who don't see the bars. */
  label: string;
};

/** A list that is on its way. */
export function GhostRows({ count, rowHeight, label }: GhostRowsProps): ReactNode {
  const rows = Array.from({ length: count }, (_, index) => ({
    key: `row-${index}`,
    width: `${52 - ((index * 13) % 24)}%`,
  }));
  return (
    <div>
      <output className={classes.spoken}>{label}</output>
      {rows.map(({ key, width }) => (
        <div className={classes.row} style={{ height: rowHeight }} key={key}>
          <GhostLine width={width} />
          <GhostLine width="4rem" />
        </div>
      ))}
    </div>
  );
}
