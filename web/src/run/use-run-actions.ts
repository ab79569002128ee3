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
    stop: () => run({ title: "Couldn't stop the run", send: () => stopRun(sessionId) }),
    resume: () => run({ title: "Couldn't resume the run", send: () => resumeRun(sessionId) }),
    retryFailed: () => run({ title: "Couldn't retry the cards", send: () => retryFailed(sessionId) }),
    acceptCompanies: () => run({ title: "Couldn't change the companies", send: () => acceptCompanies(sessionId) }),
    lookUpByPage: () => run({ title: "Couldn't switch to web scraping", send: () => lookUpByPage(sessionId) }),
    /** Cancels the pending prices of a finished run. */
    stopPrices: () => run({ title: "Couldn't stop getting prices", send: () => stopRun(sessionId) }),
  };
}
