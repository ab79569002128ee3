import { RECENT_ACTIVITY } from "@slabdesk/contract/api/stats.ts";
import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listActivity } from "../../../api/activity.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { formatMoment } from "../../../ui/format-moment.ts";
import type { AdminFilter } from "../admin-filter.ts";
import { LIST_QUERY } from "../lists/list-query.ts";
import { NewestPanel } from "../lists/NewestPanel.tsx";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import { ACTIVITY_LABELS, formatFullMoment } from "./activity-messages.ts";

type RecentActivityProps = { filter: AdminFilter; onShowAll: () => void };

/** The five newest entries that match the user and day of the filter. */
export function RecentActivity({ filter, onShowAll }: RecentActivityProps): ReactNode {
  const query = activityQuery(filter, EVERYTHING);
  const newest = useQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.newestActivity(query),
    queryFn: ({ signal }) => listActivity({ ...query, limit: RECENT_ACTIVITY }, signal),
    select: ({ activity }) => activity,
  });
  return (
    <NewestPanel
      title="Recent activity"
      things="activity"
      newest={newest}
      none="No activity found"
      onShowAll={onShowAll}
    >
      {({ activityType, description, timestamp, user }) => (
        <>
          <Box component="span" fw={550} title={user.email}>
            {user.fullName || user.email}
          </Box>
          <span title={description}>
            {ACTIVITY_LABELS[activityType]}
            <Box component="span" c="dimmed" ms="xs">
              {description}
            </Box>
          </span>
          <Box component="time" c="dimmed" dateTime={timestamp} title={formatFullMoment(timestamp)}>
            {formatMoment(timestamp)}
          </Box>
        </>
      )}
    </NewestPanel>
  );
}
