import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount } from "../ui/format-numbers.ts";
import { leftOver, pricesLeft, progressOf } from "./run-progress.ts";
import styles from "./session-actions.module.css";
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

/** Resumes a stopped run, or cancels prices that are pending after its end. */
export function GoOnActions({ session, actions }: { session: ScanSession; actions: RunActions }) {
  const progress = progressOf(session);
  const left = leftOver(progress) - progress.inFlight;
  const prices = pricesLeft(session);
  return (
    <>
      {session.status === "failed" && (left > 0 || (session.includePricing && prices === 0)) && (
        <Action isBusy={actions.isBusy} isMain onPress={actions.resume}>
          {left > 0 ? `Resume · ${formatCount(left)} left` : "Resume"}
        </Action>
      )}
      {session.status !== "processing" && prices > 0 && (
        <Action isBusy={actions.isBusy} onPress={actions.stopPrices}>
          Stop fetching prices
        </Action>
      )}
    </>
  );
}

type ActionProps = {
  onPress: () => void;
  /** A request is in progress. Uses `aria-disabled`, so that the pressed button keeps the focus. */
  isBusy?: boolean;
  isMain?: boolean;
  /** For a toggle button that filters the table. */
  isPressed?: boolean;
  children: ReactNode;
};

/** A small button for a session action. */
export function Action({ onPress, isBusy = false, isMain = false, isPressed, children }: ActionProps) {
  return (
    <Button
      size="compact-sm"
      className={styles.small}
      variant={isMain ? "filled" : "default"}
      aria-disabled={isBusy}
      aria-pressed={isPressed}
      onClick={() => {
        if (!isBusy) onPress();
      }}
    >
      {children}
    </Button>
  );
}
