import { Flex } from "@mantine/core";
import type { ReactNode } from "react";
import type { Unit } from "./chart-formats.ts";
import { type DaySeries, markColor } from "./chart-series.ts";
import styles from "./Legend.module.css";
import { MarkButton } from "./MarkButton.tsx";

type LegendProps = { label: string; parts: DaySeries["parts"]; unit: Unit };

/** A chart legend with totals; each entry sets its filter. */
export function Legend({ label, parts, unit }: LegendProps): ReactNode {
  return (
    <Flex component="ul" gap={2} mih={24} ml={-6} style={{ overflowX: "auto", scrollbarWidth: "none" }} aria-label={label}>
      {parts.map(({ key, title, tone, total, mark }) => (
        <li key={key}>
          <MarkButton mark={mark} className={styles.name}>
            <Swatch tone={tone} />
            {title} <span className={styles.value}>{unit.short(total)}</span>
          </MarkButton>
        </li>
      ))}
    </Flex>
  );
}

/** A small square in the color of a part. */
export function Swatch({ tone }: { tone: string }): ReactNode {
  return <span className={styles.swatch} style={{ background: markColor(tone) }} aria-hidden="true" />;
}
