import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Button } from "@mantine/core";
import { sessionProgress, STATUS_TONES } from "../../../run/session-messages.ts";
import { modeMessage } from "../../../card/history/provenance-messages.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";
import type { DataColumn } from "../../../ui/DataTable.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { ownerName } from "./deletion-messages.ts";
import styles from "./sessions.module.css";
import type { SessionDeletion } from "./use-session-deletion.tsx";

export function sessionColumns(deletion: SessionDeletion): DataColumn<AdminSession>[] {
  return [
    {
      header: "Session Name",
      className: styles.name,
      isRowHeader: true,
      title: ({ sessionName }) => sessionName,
      cell: ({ id, sessionName }) => <SessionLink id={id}>{sessionName}</SessionLink>,
    },
    {
      header: "User",
      className: styles.user,
      title: ({ owner }) => owner.email,
      cell: (session) => <PersonLink id={session.owner.id}>{ownerName(session)}</PersonLink>,
    },
    {
      header: "Date",
      className: styles.date,
      cell: ({ uploadDate }) => <time dateTime={uploadDate}>{formatRecent(uploadDate)}</time>,
    },
    { header: "Cards", className: styles.progress, cell: sessionProgress },
    {
      header: "Status",
      className: styles.status,
      cell: ({ status }) => (
        <StatusDot tone={STATUS_TONES[status]} isBusy={status === "processing"}>
          {status}
        </StatusDot>
      ),
    },
    { header: "Mode", className: styles.mode, cell: ({ processingMode }) => modeMessage(processingMode) },
    {
      header: "Delete",
      className: styles.end,
      cell: (session) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="bad"
          data-delete
          aria-label={`Delete ${session.sessionName}`}
          loading={deletion.deleting.has(session.id)}
          onClick={() => deletion.ask(session)}
        >
          Delete
        </Button>
      ),
    },
  ];
}
