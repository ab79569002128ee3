import { useQuery, useQueryClient } from "@tanstack/react-query";
import { authSessionsQuery, endAuthSessions } from "../../api/account.ts";
import { errorMessage } from "../../api/error-messages.ts";
import { useAction } from "../use-action.ts";

/** A user's signed-in devices; without `userId`, the caller's own. `end` signs out one, or all but the current one. */
export function useAuthSessions(userId?: string) {
  const queryClient = useQueryClient();
  const query = authSessionsQuery(userId);
  const list = useQuery(query);
  const end = useAction({
    send: (authSessionId: string | undefined) => endAuthSessions(userId, authSessionId),
    onDone: (left) => queryClient.setQueryData(query.queryKey, left),
    failure: (_, error) => ({ id: "sign-ins", message: `Nobody was signed out. ${errorMessage(error)}` }),
    onFailed: () => void list.refetch(),
  });
  return { list, end };
}
