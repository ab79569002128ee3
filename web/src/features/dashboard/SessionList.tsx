import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { ReactNode } from "react";
import { StatusDot } from "../../ui/StatusDot.tsx";
import classes from "./SessionList.module.css";
import { sessionDate, sessionProgress, STATUS_TONES } from "./session-words.ts";

export function SessionList({ sessions }: { sessions: readonly ScanSession[] }): ReactNode {
  return (
    <ul className={classes.list}>
      {sessions.map((session) => (
        <li className={classes.session} key={session.id}>
          <div className={classes.words}>
            <h2 className={classes.name}>{session.sessionName}</h2>
            <p className={classes.file}>{session.csvFilename}</p>
          </div>
          <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
            {session.status}
          </StatusDot>
          <p className={classes.progress}>
            {sessionProgress(session)} <span>cards</span>
          </p>
          <time className={classes.date} dateTime={session.uploadDate}>
            {sessionDate(session)}
          </time>
        </li>
      ))}
    </ul>
  );
}
