import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useRef, useState } from "react";
import { stopScanSession } from "../api/client.ts";
import { errorMessage } from "../api/error-messages.ts";
import { isGone } from "../api/errors.ts";
import { resumeScanSession, retryRows, sendWaiting } from "../api/run-client.ts";
import { toast } from "../ui/toast.tsx";
import { refreshSession } from "./followers.ts";

/** What makes a session go on. One at a time: a second press while one is under way does nothing. */
export type RunActions = {
  isBusy: boolean;
  /** The card in flight ends, the rest stays as it is. */
  stop: () => void;
  resume: () => void;
  retryOutages: () => void;
  /** Looks rows up again that failed with these. */
  retryOutcomes: (outcomes: readonly OutcomeCode[]) => void;
  /** Sends the rows that wait for PSA's API on by its page. */
  lookUpByPage: () => void;
  /** Of a run that is over: leaves the prices that are still to come. */
  stopPrices: () => void;
};

/** `onChanged` takes the session as the server answered it, which is not all that has changed: its rows have too. */
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
