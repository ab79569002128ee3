import { Box, Flex, UnstyledButton } from "@mantine/core";
import { type ReactNode, use } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import type { Unit } from "./chart-formats.ts";
import { type DaySeries, markColor } from "./chart-series.ts";
import styles from "./MarkButton.module.css";
import { isFaded, isSameMark, MarkContext } from "./marks.ts";

type MarkButtonProps = {
  mark: AdminFilter;
  className: string | undefined;
  title?: string | undefined;
  children: ReactNode;
};

/** A text mark: pressed while its filter is active, faded while another is. */
export function MarkButton({ mark, className, title, children }: MarkButtonProps) {
  const { filter, onFilter } = use(MarkContext);
  return (
    <UnstyledButton
      className={`${styles.button} ${className}`}
      style={{ outlineOffset: -2 }}
      title={title}
      aria-pressed={isSameMark(filter, mark)}
      data-faded={isFaded(filter, mark) || undefined}
      onClick={() => onFilter(mark)}
    >
      {children}
    </UnstyledButton>
  );
}

type LegendProps = { label: string; parts: DaySeries["parts"]; unit: Unit };

/** A chart legend with totals; each entry sets its filter. */
export function Legend({ label, parts, unit }: LegendProps) {
  return (
    <Flex component="ul" gap={2} ml={-6} style={{ overflowX: "auto", scrollbarWidth: "none" }} aria-label={label}>
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

export function Swatch({ tone }: { tone: string }) {
  return <Box component="span" w={8} h={8} bdrs={2} bg={markColor(tone)} aria-hidden="true" />;
}
