import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { DataTable } from "../../../ui/DataTable.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import { ACTIVITY_COLUMNS } from "./activity-columns.tsx";
import styles from "./activity.module.css";
import { ActivityTools } from "./ActivityTools.tsx";
import { NothingListed } from "./NothingListed.tsx";
import toolStyles from "./tools.module.css";
import { type ActivityLog, useActivityLog } from "./use-activity-log.ts";

type ActivityPanelProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** The activity log: who did what and when, 100 entries per page, filtered by user, type, and day. */
export function ActivityPanel({ filter, onFilter }: ActivityPanelProps): ReactNode {
  const [choice, setChoice] = useState(EVERYTHING);
  const query = activityQuery(filter, choice);
  const log = useActivityLog(query);
  const clear = (): void => {
    setChoice(EVERYTHING);
    onFilter({});
  };
  return (
    <Panel
      padding="flush"
      aria-labelledby="admin-activity"
      aria-busy={log.state === "loading" || log.isOutdated}
      className={styles.panel}
    >
      <ActivityTools filter={filter} onFilter={onFilter} choice={choice} onChoice={setChoice} query={query} />
      <output className={styles.news}>
        {log.news !== null && (
          <Button size="compact-sm" variant="filled" radius="xl" onClick={log.news.show}>
            Show {log.news.message}
          </Button>
        )}
      </output>
      <DataTable
        className={styles.table}
        columns={ACTIVITY_COLUMNS}
        rows={log.entries}
        cardsUpTo="48em"
        isOutdated={log.isOutdated}
        onShowMore={log.showMore}
        isLoadingMore={log.isLoadingMore}
        problem={
          log.moreError !== null &&
          log.showMore !== null && <LoadError error={log.moreError} log={log} onRetry={log.showMore} />
        }
        placeholder={
          <>
            {log.state === "loading" && <GhostRows count={12} rowHeight="2.75rem" label="Loading the activity" />}
            {log.state === "failed" && <LoadError error={log.error} log={log} onRetry={log.retry} />}
            {log.state === "ready" && (
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
          </>
        }
      />
    </Panel>
  );
}

function LoadError({ error, log, onRetry }: { error: unknown; log: ActivityLog; onRetry: () => void }): ReactNode {
  return (
    <div className={toolStyles.problem}>
      <AdminLoadError error={error} isRetrying={log.isFetching || log.isLoadingMore} onRetry={onRetry} />
    </div>
  );
}
