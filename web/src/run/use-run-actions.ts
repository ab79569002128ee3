import { acceptCompanies, lookUpByPage, resumeRun, retryFailed, stopRun } from "./session-requests.ts";
import { useAction } from "./use-action.ts";

export type RunActions = ReturnType<typeof useRunActions>;

/** A session's run actions. One request at a time: a second press while one is in progress does nothing. */
export function useRunActions(sessionId: string) {
  const { run, isBusy } = useAction<{ title: string; send: () => Promise<unknown> }>({
    send: ({ send }) => send(),
    failure: ({ title }) => ({ id: `run-${sessionId}`, title }),
  });
  return {
    isBusy,
    stop: () => run({ title: "The run was not stopped", send: () => stopRun(sessionId) }),
    resume: () => run({ title: "The run was not resumed", send: () => resumeRun(sessionId) }),
    retryFailed: () => run({ title: "The cards were not sent again", send: () => retryFailed(sessionId) }),
    acceptCompanies: () => run({ title: "The companies were not changed", send: () => acceptCompanies(sessionId) }),
    lookUpByPage: () => run({ title: "The cards still wait", send: () => lookUpByPage(sessionId) }),
    /** Cancels the pending prices of a finished run. */
    stopPrices: () => run({ title: "The prices were not stopped", send: () => stopRun(sessionId) }),
  };
}
