import { actOn, type SessionAction } from "./session-requests.ts";
import { useAction } from "./use-action.ts";

export type RunActions = ReturnType<typeof useRunActions>;

/** A session's run actions. One request at a time: a second press while one is in progress does nothing. */
export function useRunActions(sessionId: string) {
  const { run, isBusy } = useAction({
    send: ({ action }: { title: string; action: SessionAction }) => actOn(sessionId, ...action),
    failure: ({ title }) => ({ id: `run-${sessionId}`, title }),
  });
  const act =
    (title: string, ...action: SessionAction) =>
    (): void =>
      run({ title, action });
  return {
    isBusy,
    stop: act("Couldn't stop the run", "stop"),
    resume: act("Couldn't resume the run", "resume"),
    retryFailed: act("Couldn't retry the cards", "retry"),
    acceptCompanies: act("Couldn't change the companies", "companies"),
    lookUpByPage: act("Couldn't switch to web scraping", "waiting", { mode: "scraping" }),
    /** Cancels the pending prices of a finished run. */
    stopPrices: act("Couldn't stop getting prices", "stop"),
  };
}
