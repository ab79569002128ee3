import type { ReactNode } from "react";
import type { ActivityEntry } from "../../../api/activity-client.ts";
import { formatMoment } from "../../../ui/format-moment.ts";
import { ACTIVITY_LABELS, formatFullMoment } from "./activity-messages.ts";
import classes from "./activity.module.css";
import { EntryMore } from "./EntryMore.tsx";
import listClasses from "./list.module.css";

export function ActivityTable({ entries }: { entries: readonly ActivityEntry[] }): ReactNode {
  return (
    <table className={`${listClasses.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">User</th>
          <th scope="col">Action</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={classes.time}>
              <time dateTime={entry.timestamp} title={formatFullMoment(entry.timestamp)}>
                {formatMoment(entry.timestamp)}
              </time>
            </td>
            <td className={classes.user} title={entry.user.email}>
              {entry.user.fullName || entry.user.email}
            </td>
            <td className={classes.action}>
              {ACTIVITY_LABELS[entry.activityType]}
              <code>{entry.activityType}</code>
            </td>
            <td className={classes.what}>
              <EntryMore entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
