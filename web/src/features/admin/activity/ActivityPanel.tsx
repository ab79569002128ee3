import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { ActivityCards } from "./ActivityCards.tsx";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import classes from "./activity.module.css";
import { ActivityTable } from "./ActivityTable.tsx";
import { ActivityTools } from "./ActivityTools.tsx";
import listClasses from "./list.module.css";
import { NothingListed } from "./NothingListed.tsx";
import { type ActivityLog, useActivityLog } from "./use-activity-log.ts";

/** Too narrow for the four columns. */
const NARROW = "(max-width: 48em)";

type ActivityPanelProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** The activity log: who did what and when, 100 entries per page, filtered by user, type, and day. */
export function ActivityPanel({ filter, onFilter }: ActivityPanelProps): ReactNode {
  const [choice, setChoice] = useState(EVERYTHING);
  const query = activityQuery(filter, choice);
  const log = useActivityLog(query);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const clear = (): void => {
    setChoice(EVERYTHING);
    onFilter({});
  };
  return (
    <Panel
      padding="flush"
      aria-labelledby="admin-activity"
      aria-busy={log.state === "loading" || log.isOutdated}
      className={classes.panel}
    >
      <ActivityTools filter={filter} onFilter={onFilter} choice={choice} onChoice={setChoice} query={query} />
      <output className={classes.news}>
        {log.news !== null && (
          <Button size="compact-sm" variant="filled" radius="xl" onClick={log.news.show}>
            Show {log.news.message}
          </Button>
        )}
      </output>
      {log.state === "loading" && <GhostRows count={12} rowHeight="2.75rem" label="Loading the activity" />}
      {log.state === "failed" && <LoadError error={log.error} log={log} onRetry={log.retry} />}
      {log.state === "ready" && log.entries.length === 0 && (
        <NothingListed
          icon={<IconHistory size={32} stroke={1.25} />}
          title="No activity found"
          things="activity"
          isFiltered={Object.keys(query).length > 0}
          whenFiltered="Nothing that was done matches the filter."
          whenNone="What people do stands here as soon as they do it."
          onShowAll={clear}
        />
      )}
      {log.entries.length > 0 && (
        <div data-outdated={log.isOutdated || undefined} className={listClasses.list}>
          {isNarrow ? <ActivityCards entries={log.entries} /> : <ActivityTable entries={log.entries} />}
        </div>
      )}
      {log.moreError !== null && log.showMore !== null && (
        <LoadError error={log.moreError} log={log} onRetry={log.showMore} />
      )}
      {log.moreError === null && log.showMore !== null && (
        <div className={listClasses.more}>
          <Button size="xs" loading={log.isLoadingMore} onClick={log.showMore}>
            Show more
          </Button>
        </div>
      )}
    </Panel>
  );
}

function LoadError({ error, log, onRetry }: { error: unknown; log: ActivityLog; onRetry: () => void }): ReactNode {
  return (
    <div className={listClasses.problem}>
      <AdminLoadError error={error} isRetrying={log.isFetching || log.isLoadingMore} onRetry={onRetry} />
    </div>
  );
}
