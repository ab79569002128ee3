import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { type AdminSessionList, deleteScanSession } from "../../../api/sessions.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { useAction } from "../../../run/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { counted } from "../../../ui/format-numbers.ts";
import { toast } from "../../../ui/toast.tsx";
import { nameOf } from "../users/user-messages.ts";

/** Deletes a session after a confirmation. Calls `onDeleted` right before the session leaves the list. */
export function useSessionDeletion(onDeleted: (sessionId: string) => void) {
  const queryClient = useQueryClient();
  const { run, pending } = useAction({
    send: ({ id }: AdminSession) =>
      deleteScanSession(id).finally(() => {
        void queryClient.invalidateQueries({ queryKey: queryKeys.admin() });
        void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
      }),
    keyOf: idOf,
    failure: ({ id }, error) => ({ id: `delete-${id}`, message: `Failed to delete session: ${errorMessage(error)}` }),
    onDone: (_, { id }) => {
      toast.done({ message: "Session deleted successfully" });
      onDeleted(id);
      queryClient.setQueriesData<InfiniteData<AdminSessionList>>(
        { queryKey: queryKeys.adminSessionLists() },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, sessions: page.sessions.filter((one) => one.id !== id) })),
          },
      );
    },
  });
  return {
    /** Sessions being deleted; a large one takes a while. */
    deleting: new Set(pending.map(idOf)),
    ask: async (session: AdminSession) => {
      const question = { ...deletionMessage(session), confirmLabel: "Delete session", isDestructive: true };
      if (await confirmDialog(question)) run(session);
    },
  };
}

const idOf = ({ id }: AdminSession): string => id;

type DoomedSession = Pick<AdminSession, "owner" | "sessionName" | "status" | "totalCards">;

/** The confirmation names the session and warns that its results will be deleted. */
export function deletionMessage({ owner, sessionName, totalCards, status }: DoomedSession) {
  const running =
    status === "processing" ? " It is still running. Cards that are not looked up yet never will be." : "";
  return {
    title: `Delete “${sessionName}”?`,
    message: `${nameOf(owner)}'s session and its ${counted(totalCards, "result")} are deleted for everyone. This cannot be undone.${running}`,
  };
}
