import { formatUtcDay } from "@slabdesk/contract/certs/dates.ts";
import type { ReactNode } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import type { DaySeries } from "./chart-series.ts";
import { type Unit } from "./chart-formats.ts";
import styles from "./DayTable.module.css";
import { MarkButton } from "./MarkButton.tsx";

type DayTableProps = { label: string; series: DaySeries; unit: Unit };

/** A day chart as a table, newest day first, without empty days. Each number sets its filter. */
export function DayTable({ label, series, unit }: DayTableProps): ReactNode {
  const { parts } = series;
  const button = (message: string, mark: AdminFilter): ReactNode => (
    <MarkButton mark={mark} className={styles.mark}>
      {message}
    </MarkButton>
  );
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {parts.map(({ key, title }) => (
              <th scope="col" key={key}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.days
            .filter(({ total }) => total > 0)
            .toReversed()
            .map(({ day, sizes }) => (
              <tr key={day}>
                <th scope="row">{button(formatUtcDay(day), { day })}</th>
                {parts.map(({ key, mark }) => (
                  <td key={key}>{sizes[key] === undefined ? "" : button(unit.long(sizes[key]), { ...mark, day })}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
