import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useRef, useState } from "react";
import { resumeScanSession, retryRows, sendWaiting, stopScanSession } from "../api/sessions.ts";
import { errorMessage } from "../api/error-messages.ts";
import { isGone } from "../api/errors.ts";
import { toast } from "../ui/toast.tsx";
import { refreshSession } from "./followers.ts";

/** A session's run actions. One request at a time: a second press while one is in progress does nothing. */
export type RunActions = {
  isBusy: boolean;
  /** Finishes the cards in flight and leaves the rest as they are. */
  stop: () => void;
  resume: () => void;
  retryOutages: () => void;
  /** Retries rows that failed with these outcomes. */
  retryOutcomes: (outcomes: readonly OutcomeCode[]) => void;
  /** Looks up rows that wait for PSA's API on PSA's website instead. */
  lookUpByPage: () => void;
  /** Cancels the pending prices of a finished run. */
  stopPrices: () => void;
};

/** `onChanged` gets the session that the server returned. The session's rows may have changed too. */
export function useRunActions(sessionId: string, onChanged: (session: ScanSession) => void): RunActions {
  const [isBusy, setIsBusy] = useState(false);
  const isUnderWay = useRef(false);

  const send = async (failure: string, call: () => Promise<ScanSession>): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setIsBusy(true);
    try {
      onChanged(await call());
    } catch (error) {
      toast.error({ id: `run-${sessionId}`, title: failure, message: errorMessage(error) });
      if (isGone(error)) refreshSession(sessionId);
    } finally {
      isUnderWay.current = false;
      setIsBusy(false);
    }
  };
  const retryEach = async (outcomes: readonly OutcomeCode[]): Promise<ScanSession> => {
    const answers = await Promise.all(outcomes.map((outcome) => retryRows(sessionId, { outcome })));
    return answers.reduce((newest, answer) => (answer.eventSeq > newest.eventSeq ? answer : newest));
  };
  return {
    isBusy,
    stop: () => void send("The run was not stopped", () => stopScanSession(sessionId)),
    resume: () => void send("The run was not resumed", () => resumeScanSession(sessionId)),
    retryOutages: () => void send("The outages were not sent again", () => retryRows(sessionId)),
    retryOutcomes: (outcomes) => {
      if (outcomes.length > 0) void send("The cards were not sent again", () => retryEach(outcomes));
    },
    lookUpByPage: () => void send("The cards still wait", () => sendWaiting(sessionId)),
    stopPrices: () => void send("The prices were not stopped", () => stopScanSession(sessionId)),
  };
}
