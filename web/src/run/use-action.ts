import { type Mutation, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useCallback, useId, useMemo } from "react";
import { errorMessage } from "../api/error-messages.ts";
import { toast } from "../ui/toast.tsx";

type ActionOptions<Input, Answer> = {
  send: (input: Input) => Promise<Answer>;
  /** The toast for a failure; the server's message is its text unless it has its own. Without it, show `problem`. */
  failure?: (input: Input, error: Error) => { id: string; title?: string; message?: string };
  onDone?: (answer: Answer, input: Input) => void;
  /**
   * Calls with the same key run one at a time: a second one while the first is in progress does nothing. All calls have
   * the same key by default. Null: every call is sent. Pass a function of the module, because `run` changes with it.
   */
  keyOf?: (input: Input) => string | null;
};

export type Action<Input> = {
  /** Never throws. Stays the same function. */
  run: (input: Input) => void;
  /** The inputs in progress. */
  pending: readonly Input[];
  isBusy: boolean;
  /** Why the last call failed; null while another is in progress. */
  problem: string | null;
};

type Call<Input> = { key: string | null; input: Input };

const oneAtATime = (): string => "";

/** A button's request: one at a time, with its busy state and its error message. */
export function useAction<Input, Answer = unknown>(options: ActionOptions<Input, Answer>): Action<Input> {
  const { send, failure, onDone, keyOf = oneAtATime } = options;
  const client = useQueryClient();
  const id = useId();
  const { mutate, error } = useMutation<Answer, Error, Call<Input>>({
    mutationKey: [id],
    mutationFn: ({ input }) => send(input),
    networkMode: "always",
    gcTime: 0,
    onSuccess: (answer, { input }) => onDone?.(answer, input),
    onError: (reason, { input }) => {
      if (failure) toast.error({ message: errorMessage(reason), ...failure(input, reason) });
    },
  });
  const calls = useMutationState<Input[], Mutation<Answer, Error, Call<Input>>>({
    filters: { mutationKey: [id], status: "pending" },
    select: ({ state }) => (state.variables === undefined ? [] : [state.variables.input]),
  });
  const pending = useMemo(() => calls.flat(), [calls]);
  const run = useCallback(
    (input: Input): void => {
      const key = keyOf(input);
      const isUnderWay = client.isMutating({
        mutationKey: [id],
        predicate: ({ state }) => key !== null && isCall(state.variables) && state.variables.key === key,
      });
      if (isUnderWay === 0) mutate({ key, input });
    },
    [client, id, keyOf, mutate],
  );
  return { run, pending, isBusy: pending.length > 0, problem: error === null ? null : errorMessage(error) };
}

function isCall(variables: unknown): variables is Call<unknown> {
  return typeof variables === "object" && variables !== null && "key" in variables;
}
