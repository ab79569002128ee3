import type { Source } from "@slabdesk/contract/api/sources.ts";
import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import type { SourceList } from "../../../api/sources.ts";
import { type Action, type ActionOptions, useAction } from "../../../run/use-action.ts";

type SourceChange<Input> = Pick<ActionOptions<Input, Source>, "send" | "onDone" | "failure">;

/** Changes a source and shows the answer in the list at once. */
export function useSourceChange<Input = void>({ send, onDone, ...rest }: SourceChange<Input>): Action<Input, Source> {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.adminSources();
  return useAction<Input, Source>({
    ...rest,
    send: async (input) => {
      await queryClient.cancelQueries({ queryKey });
      return send(input);
    },
    onDone: (changed, input) => {
      queryClient.setQueryData<SourceList>(
        queryKey,
        (list) => list && { ...list, sources: list.sources.map((one) => (one.name === changed.name ? changed : one)) },
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.status() });
      onDone?.(changed, input);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
