import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS, RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listActivity } from "../../../api/activity-client.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { DeskFilter } from "../desk-filter.ts";
import { momentWords } from "../../../ui/moment-words.ts";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import { ACTIVITY_WORDS, fullMomentWords } from "./activity-words.ts";
import classes from "./RecentActivity.module.css";

type RecentActivityProps = { filter: DeskFilter; onShowAll: () => void };

/** SPEC's five newest entries, of the person and day of a mark. */
export function RecentActivity({ filter, onShowAll }: RecentActivityProps): ReactNode {
  const query = activityQuery(filter, EVERYTHING);
  const newest = useQuery({
    queryKey: queryKeys.newestActivity(query),
    queryFn: ({ signal }) => listActivity({ ...query, limit: RECENT_ACTIVITY }, signal),
    placeholderData: keepPreviousData,
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  const entries = newest.data?.activity;
  return (
    <Panel padding="flush" aria-labelledby="recent-activity" aria-busy={newest.isPending} className={classes.panel}>
      <div className={classes.head}>
        <SectionHeading
          level={3}
          id="recent-activity"
          title="Recent activity"
          actions={
            <Button size="compact-xs" variant="subtle" aria-label="Show all activity" onClick={onShowAll}>
              Show all
            </Button>
          }
        />
      </div>
      {newest.isPending && <GhostRows count={RECENT_ACTIVITY} rowHeight="2.25rem" label="Loading the activity" />}
      {newest.isError && entries === undefined && (
        <div className={classes.problem}>
          <AdminLoadError error={newest.error} isRetrying={newest.isFetching} onRetry={() => void newest.refetch()} />
        </div>
      )}
      {entries?.length === 0 && <p className={classes.none}>No activity found</p>}
      {entries !== undefined && entries.length > 0 && (
        <ul className={classes.list} aria-labelledby="recent-activity">
          {entries.map(({ id, activityType, description, timestamp, user }) => (
            <li key={id} className={classes.line}>
              <span className={classes.who} title={user.email}>
                {user.fullName || user.email}
              </span>
              <span className={classes.what} title={description}>
                {ACTIVITY_WORDS[activityType]}
                <span className={classes.description}>{description}</span>
              </span>
              <time className={classes.when} dateTime={timestamp} title={fullMomentWords(timestamp)}>
                {momentWords(timestamp)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
