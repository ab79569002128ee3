import { type Mutation, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useCallback, useId, useMemo } from "react";
import { errorMessage } from "./errors.ts";
import { toast } from "../ui/toast.tsx";

export type ActionOptions<Input, Answer> = {
  send: (input: Input) => Promise<Answer>;
  /** The toast for a failure; the server's message is its text unless it has its own. Without it, show `problem`. */
  failure?: (input: Input, error: Error) => { id: string; title?: string; message?: string };
  onDone?: (answer: Answer, input: Input) => void;
  onFailed?: (error: Error, input: Input) => void;
  /** After success and failure. The call is busy until its promise resolves. */
  onSettled?: () => unknown;
  /** Calls with the same key run one at a time; others are ignored. Null: all are sent. Must stay the same function. */
  keyOf?: ((input: Input) => string) | null;
  /** Sends all calls, each only after those before it have ended. */
  inOrder?: boolean;
};

export type Action<Input, Answer = unknown> = {
  /** Never throws. Stays the same function. */
  run: (input: Input) => void;
  pending: readonly Input[];
  isBusy: boolean;
  /** Why the last call failed; null while another is in progress. */
  problem: string | null;
  error: Error | null;
  /** The answer of the last call; undefined while another is in progress. */
  answer: Answer | undefined;
  /** Forgets the last call's answer or error. */
  reset: () => void;
};

type Call<Input> = { key: string | null; input: Input };

/** A button's request: one at a time, with its busy state and its error message. */
export function useAction<Input, Answer = unknown>(options: ActionOptions<Input, Answer>): Action<Input, Answer> {
  const { send, failure, onDone, onFailed, onSettled, keyOf, inOrder = false } = options;
  const client = useQueryClient();
  const id = useId();
  const { mutate, error, data, reset } = useMutation<Answer, Error, Call<Input>>({
    mutationKey: [id],
    mutationFn: ({ input }) => send(input),
    ...(inOrder && { scope: { id } }),
    networkMode: "always",
    gcTime: 0,
    onSuccess: (answer, { input }) => onDone?.(answer, input),
    onError: (reason, { input }) => {
      if (failure) toast.error({ message: errorMessage(reason), ...failure(input, reason) });
      onFailed?.(reason, input);
    },
    onSettled: () => onSettled?.(),
  });
  const calls = useMutationState<Input[], Mutation<Answer, Error, Call<Input>>>({
    filters: { mutationKey: [id], status: "pending" },
    select: ({ state }) => (state.variables === undefined ? [] : [state.variables.input]),
  });
  const pending = useMemo(() => calls.flat(), [calls]);
  const run = useCallback(
    (input: Input): void => {
      const key = inOrder || keyOf === null ? null : (keyOf?.(input) ?? "");
      const isUnderWay = client.isMutating({
        mutationKey: [id],
        predicate: ({ state }) => key !== null && isCall(state.variables) && state.variables.key === key,
      });
      if (isUnderWay === 0) mutate({ key, input });
    },
    [client, id, inOrder, keyOf, mutate],
  );
  const problem = error === null ? null : errorMessage(error);
  return { run, pending, isBusy: pending.length > 0, problem, error, answer: data, reset };
}

function isCall(variables: unknown): variables is Call<unknown> {
  return typeof variables === "object" && variables !== null && "key" in variables;
}
