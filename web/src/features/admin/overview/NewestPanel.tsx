import { RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./NewestPanel.module.css";

type NewestPanelProps<Line> = {
  title: string;
  /** Plural noun for the items, used in labels. */
  things: string;
  newest: UseQueryResult<readonly Line[]>;
  /** The text for an empty list. */
  none: string;
  onShowAll: () => void;
  /** The list's class; its `--columns` apply to wide windows. */
  className: string | undefined;
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
  className,
  children,
}: NewestPanelProps<Line>): ReactNode {
  const titleId = useId();
  const { data: lines, error, isPending, isError, isFetching, refetch } = newest;
  return (
    <Panel padding="flush" aria-labelledby={titleId} aria-busy={isPending} className={styles.panel}>
      <div className={styles.head}>
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
      </div>
      {isPending && <GhostRows count={RECENT_ACTIVITY} rowHeight="2.25rem" label={`Loading the ${things}`} />}
      {isError && lines === undefined && (
        <div className={styles.problem}>
          <AdminLoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {lines?.length === 0 && <p className={styles.none}>{none}</p>}
      {lines !== undefined && lines.length > 0 && (
        <ul className={`${styles.list} ${className}`} aria-labelledby={titleId}>
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
