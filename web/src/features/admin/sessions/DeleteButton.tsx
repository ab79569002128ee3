import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { SessionDeletion } from "./use-session-deletion.tsx";

type DeleteButtonProps = { session: ScanSession; deletion: SessionDeletion };

export function DeleteButton({ session, deletion }: DeleteButtonProps): ReactNode {
  return (
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
  );
}
