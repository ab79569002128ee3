import { RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import classes from "./NewestPanel.module.css";

type NewestPanelProps<Line> = {
  title: string;
  /** What the lines are, as its labels name them. */
  things: string;
  newest: UseQueryResult<readonly Line[]>;
  /** What is said when there are none. */
  none: string;
  onShowAll: () => void;
  /** A class of the list; its `--columns` are those of a wide window. */
  className: string | undefined;
  /** The cells of a line. */
  children: (line: Line) => ReactNode;
};

/** The newest few of a long list, and the way to all of it. */
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
    <Panel padding="flush" aria-labelledby={titleId} aria-busy={isPending} className={classes.panel}>
      <div className={classes.head}>
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
        <div className={classes.problem}>
          <AdminLoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {lines?.length === 0 && <p className={classes.none}>{none}</p>}
      {lines !== undefined && lines.length > 0 && (
        <ul className={`${classes.list} ${className}`} aria-labelledby={titleId}>
          {lines.map((line) => (
            <li key={line.id} className={classes.line}>
              {children(line)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
