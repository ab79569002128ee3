import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { type AdminSessionList, deleteScanSession } from "../../../api/sessions.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { useAction } from "../../../run/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deletionMessage } from "./deletion-messages.ts";

export type SessionDeletion = {
  /** Sessions being deleted; a large one takes a while. */
  deleting: ReadonlySet<string>;
  /** Asks for confirmation, naming the session, then deletes it. */
  ask: (session: AdminSession) => void;
};

/** Calls `onDeleted` right before a session leaves the list. */
export function useSessionDeletion(onDeleted: (sessionId: string) => void): SessionDeletion {
  const queryClient = useQueryClient();
  const { run, pending } = useAction({
    send: ({ id }: AdminSession) =>
      deleteScanSession(id).finally(() => {
        void queryClient.invalidateQueries({ queryKey: queryKeys.admin() });
        void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
      }),
    keyOf: idOf,
    failure: ({ id }, error) => ({
      id: `delete-${id}`,
      message: `Failed to delete session: ${errorMessage(error)}`,
    }),
    onDone: (_, { id }) => {
      toast.done({ message: "Session deleted successfully" });
      onDeleted(id);
      queryClient.setQueriesData<InfiniteData<AdminSessionList>>(
        { queryKey: queryKeys.adminSessionLists() },
        (list) => list && without(list, id),
      );
    },
  });
  const ask = async (session: AdminSession): Promise<void> => {
    const { title, message } = deletionMessage(session);
    if (await confirmDialog({ title, message, confirmLabel: "Delete session", isDestructive: true })) run(session);
  };
  return { deleting: new Set(pending.map(idOf)), ask: (session) => void ask(session) };
}

const idOf = ({ id }: AdminSession): string => id;

function without(list: InfiniteData<AdminSessionList>, sessionId: string): InfiniteData<AdminSessionList> {
  const pages = list.pages.map((page) => ({ ...page, sessions: page.sessions.filter(({ id }) => id !== sessionId) }));
  return { ...list, pages };
}
