import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Action } from "./Action.tsx";
import { leftOver, pricesLeft, progressOf } from "./run-progress.ts";
import type { RunActions } from "./use-run-actions.ts";
import { formatCount } from "../ui/format-numbers.ts";

type GoOnActionsProps = { session: ScanSession; actions: RunActions };

/** Resumes a stopped run, or cancels prices that are pending after its end. */
export function GoOnActions({ session, actions }: GoOnActionsProps) {
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
