import type { ReactNode } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import styles from "./BarList.module.css";
import { markColor } from "./chart-series.ts";
import { MarkButton } from "./MarkButton.tsx";

export type ListedBar = {
  key: string;
  title: string;
  tone: string;
  value: number;
  figure: ReactNode;
  /** Details beyond the title. */
  hint?: string;
  mark: AdminFilter;
};

type BarListProps = {
  label: string;
  bars: readonly ListedBar[];
  /** `wide` is one column; `two` and `three` are the maximum number of columns. */
  layout: "wide" | "two" | "three";
  /** The value of a full bar; defaults to the largest value. */
  most?: number;
};

/** A horizontal bar chart as a list of buttons, in columns if there is room. */
export function BarList({ label, bars, layout, most }: BarListProps): ReactNode {
  const whole = most ?? Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return null;
  return (
    <ol className={styles.list} data-layout={layout} aria-label={label}>
      {bars.map(({ key, title, tone, value, figure, hint, mark }) => (
        <li key={key}>
          <MarkButton mark={mark} className={styles.bar} title={hint}>
            <span className={styles.title}>{title}</span>
            <span className={styles.track} aria-hidden="true">
              <span
                className={styles.fill}
                style={{ width: `max(2px, ${((100 * value) / whole).toFixed(2)}%)`, background: markColor(tone) }}
              />
            </span>
            <span className={styles.figure}>{figure}</span>
          </MarkButton>
        </li>
      ))}
    </ol>
  );
}
