import type { ReactNode } from "react";
import type { ActivityEntry } from "../../../api/activity-client.ts";
import { momentWords } from "../../../ui/moment-words.ts";
import { ACTIVITY_WORDS, fullMomentWords } from "./activity-words.ts";
import classes from "./activity.module.css";
import { EntryMore } from "./EntryMore.tsx";
import listClasses from "./list.module.css";

/** What the table says, for a narrow window. */
export function ActivityCards({ entries }: { entries: readonly ActivityEntry[] }): ReactNode {
  return (
    <ul className={listClasses.cards} aria-labelledby="admin-activity">
      {entries.map((entry) => (
        <li key={entry.id} className={`${listClasses.card} ${classes.card}`}>
          <p className={classes.cardAction} title={entry.activityType}>
            {ACTIVITY_WORDS[entry.activityType]}
          </p>
          <p className={classes.cardAbout}>
            {entry.user.fullName || entry.user.email} ·{" "}
            <time dateTime={entry.timestamp} title={fullMomentWords(entry.timestamp)}>
              {momentWords(entry.timestamp)}
            </time>
          </p>
          <EntryMore entry={entry} />
        </li>
      ))}
    </ul>
  );
}
