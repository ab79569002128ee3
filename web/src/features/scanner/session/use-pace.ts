import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useState } from "react";
import type { RowsStore } from "../../../run/rows-store.ts";
import {
  addSample,
  type Lanes,
  lanesOf,
  type Pace,
  paceOf,
  type PaceSample,
  UNKNOWN_PACE,
} from "../../../run/run-progress.ts";

const SAMPLE_EVERY_MS = 2_000;
const UNKNOWN: { pace: Pace; lanes: Lanes | null } = { pace: UNKNOWN_PACE, lanes: null };

/** Speed and time left as measured in this tab; unknown at first. Needs the session's ID as the component's key. */
export function usePace(session: ScanSession, rows: RowsStore): typeof UNKNOWN {
  const [seen, setSeen] = useState(UNKNOWN);
  const { totalCards, includePricing } = session;
  // While only failed cards are retried, the rows don't tell which ones run.
  const isGoingOn = (session.status === "processing" && !session.isPartial) || session.prices.pending > 0;
  useEffect(() => {
    if (!isGoingOn) return;
    let samples: PaceSample[] = [];
    const sample = (): void => {
      const snapshot = rows.getSnapshot();
      if (snapshot.length < totalCards) return;
      const lanes = lanesOf(snapshot, includePricing);
      samples = addSample(samples, { atMs: performance.now(), lanes });
      setSeen({ pace: paceOf(samples), lanes });
    };
    const timer = setInterval(sample, SAMPLE_EVERY_MS);
    return () => {
      clearInterval(timer);
      setSeen(UNKNOWN);
    };
  }, [totalCards, includePricing, isGoingOn, rows]);
  return seen;
}
