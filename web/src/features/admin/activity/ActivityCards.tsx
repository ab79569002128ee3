import type { ReactNode } from "react";
import type { ActivityEntry } from "../../../api/activity-client.ts";
import { formatMoment } from "../../../ui/format-moment.ts";
import { ACTIVITY_LABELS, formatFullMoment } from "./activity-messages.ts";
import classes from "./activity.module.css";
import { EntryMore } from "./EntryMore.tsx";
import listClasses from "./list.module.css";

/** The activity table as cards, for narrow windows. */
export function ActivityCards({ entries }: { entries: readonly ActivityEntry[] }): ReactNode {
  return (
    <ul className={listClasses.cards} aria-labelledby="admin-activity">
      {entries.map((entry) => (
        <li key={entry.id} className={`${listClasses.card} ${classes.card}`}>
          <p className={classes.cardAction} title={entry.activityType}>
            {ACTIVITY_LABELS[entry.activityType]}
          </p>
          <p className={classes.cardAbout}>
            {entry.user.fullName || entry.user.email} ·{" "}
            <time dateTime={entry.timestamp} title={formatFullMoment(entry.timestamp)}>
              {formatMoment(entry.timestamp)}
            </time>
          </p>
          <EntryMore entry={entry} />
        </li>
      ))}
    </ul>
  );
}
