import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AdminSessionList, deleteScanSession } from "../../../api/sessions.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deletionMessage } from "./deletion-messages.ts";

export type SessionDeletion = {
  /** Sessions being deleted; a large one takes a while. */
  deleting: ReadonlySet<string>;
  /** Asks for confirmation, naming the session, then deletes it. */
  ask: (session: ScanSession) => void;
};

/** Calls `onDeleted` right before a session leaves the list. */
export function useSessionDeletion(onDeleted: (sessionId: string) => void): SessionDeletion {
  const queryClient = useQueryClient();
  const [deleting, setDeleting] = useState<ReadonlySet<string>>(new Set());

  const ask = async (session: ScanSession): Promise<void> => {
    const { title, message } = deletionMessage(session);
    if (!(await confirmDialog({ title, message, confirmLabel: "Delete session", isDestructive: true }))) return;
    setDeleting((ids) => new Set([...ids, session.id]));
    try {
      await deleteScanSession(session.id);
      toast.done({ message: "Session deleted successfully" });
      onDeleted(session.id);
      queryClient.setQueriesData<InfiniteData<AdminSessionList>>(
        { queryKey: queryKeys.adminSessionLists() },
        (list) => list && without(list, session.id),
      );
    } catch (error) {
      toast.error({ id: `delete-${session.id}`, message: `Failed to delete session: ${errorMessage(error)}` });
    }
    setDeleting((ids) => new Set([...ids].filter((id) => id !== session.id)));
    void queryClient.invalidateQueries({ queryKey: queryKeys.admin() });
    void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  };
  return { deleting, ask: (session) => void ask(session) };
}

function without(list: InfiniteData<AdminSessionList>, sessionId: string): InfiniteData<AdminSessionList> {
  const pages = list.pages.map((page) => ({ ...page, sessions: page.sessions.filter(({ id }) => id !== sessionId) }));
  return { ...list, pages };
}
