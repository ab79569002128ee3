import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS, RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listActivity } from "../../../api/activity.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { formatMoment } from "../../../ui/format-moment.ts";
import type { AdminFilter } from "../admin-filter.ts";
import { NewestPanel } from "../overview/NewestPanel.tsx";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import { ACTIVITY_LABELS, formatFullMoment } from "./activity-messages.ts";
import styles from "./RecentActivity.module.css";

type RecentActivityProps = { filter: AdminFilter; onShowAll: () => void };

/** The five newest entries that match the user and day of the filter. */
export function RecentActivity({ filter, onShowAll }: RecentActivityProps): ReactNode {
  const query = activityQuery(filter, EVERYTHING);
  const newest = useQuery({
    queryKey: queryKeys.newestActivity(query),
    queryFn: ({ signal }) => listActivity({ ...query, limit: RECENT_ACTIVITY }, signal),
    select: ({ activity }) => activity,
    placeholderData: keepPreviousData,
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  return (
    <NewestPanel
      title="Recent activity"
      things="activity"
      newest={newest}
      none="No activity found"
      onShowAll={onShowAll}
      className={styles.entries}
    >
      {({ activityType, description, timestamp, user }) => (
        <>
          <span className={styles.who} title={user.email}>
            {user.fullName || user.email}
          </span>
          <span className={styles.what} title={description}>
            {ACTIVITY_LABELS[activityType]}
            <span className={styles.description}>{description}</span>
          </span>
          <time className={styles.when} dateTime={timestamp} title={formatFullMoment(timestamp)}>
            {formatMoment(timestamp)}
          </time>
        </>
      )}
    </NewestPanel>
  );
}
