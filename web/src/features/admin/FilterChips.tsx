import { Group, UnstyledButton } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type AdminFilter, filterChips } from "./admin-filter.ts";
import styles from "./FilterChips.module.css";

type FilterChipsProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** One removable chip per active filter. */
export function FilterChips({ filter, onFilter }: FilterChipsProps): ReactNode {
  const chips = filterChips(filter);
  if (chips.length === 0) return null;
  return (
    <Group component="ul" gap={6} aria-label="Filter">
      {chips.map(({ label, rest }) => (
        <li key={label}>
          <UnstyledButton
            className={styles.chip ?? ""}
            aria-label={`Remove filter ${label}`}
            onClick={() => onFilter(rest)}
          >
            {label}
            <IconX size={14} stroke={2} aria-hidden="true" />
          </UnstyledButton>
        </li>
      ))}
    </Group>
  );
}
