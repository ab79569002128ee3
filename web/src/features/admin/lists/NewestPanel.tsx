import { RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Box, Button, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./NewestPanel.module.css";

type NewestPanelProps<Line> = {
  title: string;
  /** Used in labels, and sets the columns. */
  things: "activity" | "sessions";
  newest: UseQueryResult<readonly Line[]>;
  /** The text for an empty list. */
  none: string;
  onShowAll: () => void;
  /** Renders the cells of a line. */
  children: (line: Line) => ReactNode;
};

/** The newest few items of a long list, with a link to the full list. */
export function NewestPanel<Line extends { id: string }>({
  title,
  things,
  newest,
  none,
  onShowAll,
  children,
}: NewestPanelProps<Line>): ReactNode {
  const titleId = useId();
  const { data: lines, isPending, isError } = newest;
  return (
    <Panel padding="flush" aria-labelledby={titleId} aria-busy={isPending} className={styles.panel}>
      <Box p="0.625rem 0.75rem 0.375rem 1rem">
        <SectionHeading
          level={3}
          id={titleId}
          title={title}
          actions={
            <Button size="compact-xs" variant="subtle" aria-label={`Show all ${things}`} onClick={onShowAll}>
              Show all
            </Button>
          }
        />
      </Box>
      {isPending && <GhostRows count={RECENT_ACTIVITY} rowHeight="2.25rem" label={`Loading the ${things}`} />}
      {isError && lines === undefined && (
        <Box p="0.25rem 0.75rem 0.75rem">
          <AdminLoadError query={newest} />
        </Box>
      )}
      {lines?.length === 0 && (
        <Text p="md" c="dimmed" fz="sm">
          {none}
        </Text>
      )}
      {lines !== undefined && lines.length > 0 && (
        <ul className={styles.list} data-things={things} aria-labelledby={titleId}>
          {lines.map((line) => (
            <li key={line.id} className={styles.line}>
              {children(line)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
