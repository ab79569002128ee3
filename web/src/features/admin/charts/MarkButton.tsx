import { Box, Flex, UnstyledButton } from "@mantine/core";
import { createContext, type ReactNode, use } from "react";
import type { AdminFilter, FilterProps } from "../admin-filter.ts";
import { type DaySeries, markColor, type Unit } from "./chart-series.ts";
import styles from "./MarkButton.module.css";

/** The chosen filter, and how a mark of a chart sets another. */
export const MarkContext = createContext<FilterProps>({ filter: {}, onFilter: () => {} });

function valuesOf({ user, day, company, outcome }: AdminFilter): (string | undefined)[] {
  return [user?.id, day, company, outcome];
}

export function isSameMark(one: AdminFilter, other: AdminFilter): boolean {
  const values = valuesOf(other);
  return valuesOf(one).every((value, index) => value === values[index]);
}

/**
 * True if a mark is faded because another mark is selected. Only fields that both filters set count: a selected day
 * doesn't fade company names, and a selected user fades no day.
 */
export function isFaded(chosen: AdminFilter, mark: AdminFilter): boolean {
  const marked = valuesOf(mark);
  return valuesOf(chosen).some(
    (value, index) => value !== undefined && marked[index] !== undefined && value !== marked[index],
  );
}

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

/** A chart legend with totals; each entry sets its filter. */
export function Legend({ label, parts, unit }: { label: string; parts: DaySeries["parts"]; unit: Unit }) {
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
