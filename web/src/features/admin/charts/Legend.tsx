import type { ReactNode } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import type { DaySeries } from "./chart-series.ts";
import type { Unit } from "./chart-formats.ts";
import styles from "./Legend.module.css";
import { MarkButton } from "./MarkButton.tsx";
import tones from "./tones.module.css";

type LegendProps = {
  label: string;
  parts: DaySeries["parts"];
  unit: Unit;
  filter: AdminFilter;
  onMark: (filter: AdminFilter) => void;
};

/** A chart legend with totals; each entry sets its filter. */
export function Legend({ label, parts, unit, filter, onMark }: LegendProps): ReactNode {
  return (
    <ul className={styles.legend} aria-label={label}>
      {parts.map(({ key, title, tone, total, mark }) => (
        <li key={key}>
          <MarkButton mark={mark} filter={filter} onMark={onMark} className={styles.name}>
            <span className={`${styles.swatch} ${tones.tone}`} data-tone={tone} aria-hidden="true" />
            {title} <span className={styles.value}>{unit.short(total)}</span>
          </MarkButton>
        </li>
      ))}
    </ul>
  );
}
