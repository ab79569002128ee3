import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { AdminFilter } from "../admin-filter.ts";
import { ListPanel } from "../lists/ListPanel.tsx";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import { ACTIVITY_COLUMNS } from "./activity-columns.tsx";
import styles from "./activity.module.css";
import { ActivityFilters } from "./ActivityFilters.tsx";
import { useActivityLog } from "./use-activity-log.ts";

type ActivityPanelProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** The activity log: who did what and when, 100 entries per page, filtered by user, type, and day. */
export function ActivityPanel({ filter, onFilter }: ActivityPanelProps): ReactNode {
  const [choice, setChoice] = useState(EVERYTHING);
  const query = activityQuery(filter, choice);
  const { news, showNews, ...list } = useActivityLog(query);
  const clear = (): void => {
    setChoice(EVERYTHING);
    onFilter({});
  };
  const isFiltered = Object.keys(query).length > 0;
  const isMarkOfCards = filter.company !== undefined || filter.outcome !== undefined;
  return (
    <ListPanel
      title="Activity"
      hint={
        isMarkOfCards
          ? "Filtered by user and day only: activity has no company or cause"
          : "Newest first. Days are in UTC"
      }
      filters={
        <ActivityFilters filter={filter} onFilter={onFilter} choice={choice} onChoice={setChoice} query={query} />
      }
      notice={
        <output className={styles.news}>
          {news !== null && (
            <Button size="compact-sm" variant="filled" radius="xl" onClick={showNews}>
              Show {news}
            </Button>
          )}
        </output>
      }
      className={styles.table}
      columns={ACTIVITY_COLUMNS}
      cardsUpTo="48em"
      list={list}
      ghost={{ count: 12, rowHeight: "2.75rem", label: "Loading the activity" }}
      empty={{
        Icon: IconHistory,
        title: "No activity found",
        message: isFiltered ? "No activity matches the filter." : "Activity appears here as it happens.",
        action: isFiltered ? { label: "Show all activity", run: clear } : null,
      }}
    />
  );
}
