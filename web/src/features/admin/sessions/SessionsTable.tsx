import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { ReactNode } from "react";
import { sessionProgress, STATUS_TONES } from "../../../run/session-messages.ts";
import { modeMessage } from "../../../table/history/provenance-messages.ts";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { formatMoment } from "../../../ui/format-moment.ts";
import listClasses from "../activity/list.module.css";
import { DeleteButton } from "./DeleteButton.tsx";
import { ownerName } from "./owner-messages.ts";
import classes from "./sessions.module.css";
import type { SessionDeletion } from "./use-session-deletion.tsx";

export type SessionLines = {
  sessions: readonly ScanSession[];
  deletion: SessionDeletion;
};

export function SessionsTable({ sessions, deletion }: SessionLines): ReactNode {
  return (
    <table className={`${listClasses.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">Session Name</th>
          <th scope="col">User</th>
          <th scope="col">Date</th>
          <th scope="col" className={classes.figure}>
            Cards
          </th>
          <th scope="col">Status</th>
          <th scope="col">Mode</th>
          <th scope="col" className={classes.end}>
            Delete
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id} data-session={session.id}>
            <th scope="row" className={classes.name} title={session.sessionName}>
              {session.sessionName}
            </th>
            <td className={classes.user} title={session.owner?.email}>
              {ownerName(session)}
            </td>
            <td className={classes.date}>
              <time dateTime={session.uploadDate}>{formatMoment(session.uploadDate)}</time>
            </td>
            <td className={classes.figure}>{sessionProgress(session)}</td>
            <td className={classes.status}>
              <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
                {session.status}
              </StatusDot>
            </td>
            <td className={classes.mode}>{modeMessage(session.processingMode)}</td>
            <td className={classes.end}>
              <DeleteButton session={session} deletion={deletion} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
