import type { Source } from "@slabdesk/contract/api/sources.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import type { SourceList } from "../../../api/sources.ts";

type SourceChange<Input> = {
  send: (input: Input) => Promise<Source>;
  onDone?: () => void;
  onError?: (error: Error) => void;
};

/** Changes a source and shows the answer in the list at once. */
export function useSourceChange<Input = void>({ send, onDone, onError }: SourceChange<Input>) {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.adminSources();
  return useMutation({
    mutationFn: send,
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: (changed) => {
      queryClient.setQueryData<SourceList>(
        queryKey,
        (list) => list && { ...list, sources: list.sources.map((one) => (one.name === changed.name ? changed : one)) },
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.status() });
      onDone?.();
    },
    ...(onError && { onError }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
