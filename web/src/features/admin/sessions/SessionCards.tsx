import type { ReactNode } from "react";
import { sessionProgress, STATUS_TONES } from "../../../run/session-messages.ts";
import { modeMessage } from "../../../table/history/provenance-messages.ts";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { formatMoment } from "../../../ui/format-moment.ts";
import listClasses from "../activity/list.module.css";
import { DeleteButton } from "./DeleteButton.tsx";
import { ownerName } from "./owner-messages.ts";
import classes from "./sessions.module.css";
import type { SessionLines } from "./SessionsTable.tsx";

/** The session table as cards, for narrow windows. */
export function SessionCards({ sessions, deletion }: SessionLines): ReactNode {
  return (
    <ul className={listClasses.cards} aria-labelledby="admin-sessions">
      {sessions.map((session) => (
        <li key={session.id} className={`${listClasses.card} ${classes.card}`} data-session={session.id}>
          <p className={classes.cardName}>{session.sessionName}</p>
          <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
            {session.status}
          </StatusDot>
          <p className={classes.cardAbout}>
            {ownerName(session)} · <time dateTime={session.uploadDate}>{formatMoment(session.uploadDate)}</time>
          </p>
          <p className={classes.cardAbout}>
            <strong>{sessionProgress(session)}</strong> cards · {modeMessage(session.processingMode)}
          </p>
          <DeleteButton session={session} deletion={deletion} />
        </li>
      ))}
    </ul>
  );
}
