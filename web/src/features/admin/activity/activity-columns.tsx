import type { ActivityEntry } from "../../../api/activity.ts";
import type { DataColumn } from "../../../ui/DataTable.tsx";
import { formatMoment } from "../../../ui/format-moment.ts";
import styles from "./activity.module.css";
import { ACTIVITY_LABELS, formatFullMoment } from "./activity-messages.ts";
import { EntryMore } from "./EntryMore.tsx";

export const ACTIVITY_COLUMNS: readonly DataColumn<ActivityEntry>[] = [
  {
    header: "Time",
    className: styles.time,
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} title={formatFullMoment(timestamp)}>
        {formatMoment(timestamp)}
      </time>
    ),
  },
  {
    header: "User",
    className: styles.user,
    title: ({ user }) => user.email,
    cell: ({ user }) => user.fullName || user.email,
  },
  {
    header: "Action",
    className: styles.action,
    cell: ({ activityType }) => (
      <>
        {ACTIVITY_LABELS[activityType]}
        <code>{activityType}</code>
      </>
    ),
  },
  { header: "Details", className: styles.what, cell: (entry) => <EntryMore entry={entry} /> },
];
