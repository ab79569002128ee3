import type { CredentialTest, Source } from "@slabdesk/contract/api/sources.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { openSource, pauseSource, type SourceList, testCredentials } from "../../../api/sources.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { openMessage, pauseMessage } from "./source-messages.ts";

export type SourceActions = {
  pause: () => Promise<void>;
  open: () => Promise<void>;
  test: () => void;
  isChanging: boolean;
  isTesting: boolean;
  /** The result of the last credential test; null if none ran. */
  answer: CredentialTest | null;
};

/** Admin actions for a source. Pausing and resuming ask for confirmation and name what waits. */
export function useSourceActions(source: Source): SourceActions {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: "pause" | "open") => (wanted === "pause" ? pauseSource : openSource)(source.name),
    onMutate: () => queryClient.cancelQueries({ queryKey: queryKeys.adminSources() }),
    onSuccess: (changed) => {
      queryClient.setQueryData<SourceList>(
        queryKeys.adminSources(),
        (list) => list && { ...list, sources: list.sources.map((one) => (one.name === changed.name ? changed : one)) },
      );
    },
    onError: (error) => toast.error({ message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.adminSources() }),
  });
  const trial = useMutation({ mutationFn: () => testCredentials(source.name) });

  return {
    pause: async () => {
      const message = pauseMessage(source);
      if (await confirmDialog({ title: `Pause ${source.title}?`, message, confirmLabel: `Pause ${source.title}` }))
        change.mutate("pause");
    },
    open: async () => {
      const message = openMessage(source);
      if (await confirmDialog({ title: `Open ${source.title}?`, message, confirmLabel: `Open ${source.title}` }))
        change.mutate("open");
    },
    test: () => trial.mutate(),
    isChanging: change.isPending,
    isTesting: trial.isPending,
    answer: trial.isError ? { result: "unknown", message: errorMessage(trial.error) } : (trial.data ?? null),
  };
}
