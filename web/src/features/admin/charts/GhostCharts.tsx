import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { GhostLine } from "../../../ui/Skeletons.tsx";
import styles from "./AdminCharts.module.css";
import { ChartCard } from "./ChartCard.tsx";

const TITLES = ["Scans per day", "Market value looked up", "Upstream calls", "Success by cause", "Cards per user"];
const WIDTHS = ["72%", "46%", "58%", "31%"];

/** Placeholders for the five charts while they load. */
export function GhostCharts(): ReactNode {
  return (
    <div className={styles.charts} aria-busy="true">
      {TITLES.map((title) => (
        <ChartCard key={title} title={title}>
          <Stack gap={14} pt={20} aria-hidden="true">
            {WIDTHS.map((width) => (
              <GhostLine key={width} width={width} />
            ))}
          </Stack>
        </ChartCard>
      ))}
    </div>
  );
}
