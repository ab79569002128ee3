import type { ReactNode } from "react";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import styles from "./AdminCharts.module.css";
import { ChartCard } from "./ChartCard.tsx";
import ghosts from "./GhostCharts.module.css";

const TITLES = ["Scans per day", "Market value looked up", "Upstream calls", "Success by cause", "Cards per user"];
const WIDTHS = ["72%", "46%", "58%", "31%"];

/** Placeholders for the five charts while they load. */
export function GhostCharts(): ReactNode {
  return (
    <div className={styles.charts} aria-busy="true">
      {TITLES.map((title) => (
        <ChartCard key={title} title={title}>
          <div className={ghosts.ghost} aria-hidden="true">
            {WIDTHS.map((width) => (
              <GhostLine key={width} width={width} />
            ))}
          </div>
        </ChartCard>
      ))}
    </div>
  );
}

/** Shown in a chart without data. */
export function NothingYet({ children }: { children: string }): ReactNode {
  return <p className={ghosts.nothing}>{children}</p>;
}
