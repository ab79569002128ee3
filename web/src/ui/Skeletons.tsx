import type { ReactNode } from "react";
import classes from "./Skeletons.module.css";

/** A grey bar where text will be. Width and height are CSS lengths. */
export function GhostLine({ width = "100%", height = "0.75rem" }: { width?: string; height?: string }): ReactNode {
  return <span className={classes.line} style={{ width, height }} aria-hidden="true" />;
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
  const rows = Array.from({ length: count }, (_, index) => `${52 - ((index * 13) % 24)}%`);
  return (
    <div role="status">
      <span className={classes.spoken}>{label}</span>
      {rows.map((width, index) => (
        <div className={classes.row} style={{ height: rowHeight }} key={index}>
          <GhostLine width={width} />
          <GhostLine width="4rem" />
        </div>
      ))}
    </div>
  );
}
