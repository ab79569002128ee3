import { Group } from "@mantine/core";
import { VisuallyHidden } from "./text/VisuallyHidden.tsx";
import { range } from "@mantine/hooks";
import styles from "./Skeletons.module.css";

export function GhostLine({ width }: { width: string }) {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />;
}

type GhostRowsProps = {
  count: number;
  /** The CSS height of one row; match the real rows to avoid a layout shift. */
  rowHeight: string;
  label: string;
};

/** A placeholder for a list that is loading. */
export function GhostRows({ count, rowHeight, label }: GhostRowsProps) {
  return (
    <div>
      <VisuallyHidden component="output">{label}</VisuallyHidden>
      {range(0, count - 1).map((index) => (
        <Group key={index} className={styles.row} justify="space-between" h={rowHeight} px="1.25rem">
          <GhostLine width={`${52 - ((index * 13) % 24)}%`} />
          <GhostLine width="4rem" />
        </Group>
      ))}
    </div>
  );
}
