import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useState } from "react";
import type { RowsStore } from "../../table/rows-store.ts";
import { addSample, lanesOf, type Pace, paceOf, type PaceSample } from "./run-view.ts";

const SAMPLE_EVERY_MS = 2_000;
const UNKNOWN: Pace = { perMinute: null, minutesLeft: null };

/** Of one session: give its component the session's id as key. Cards a minute and minutes left as seen from this tab; unknown until all rows are loaded and enough has happened. */
export function usePace(session: ScanSession, rows: RowsStore): Pace {
  const [pace, setPace] = useState(UNKNOWN);
  const { totalCards, status } = session;
  useEffect(() => {
    if (status !== "processing") return;
    let samples: PaceSample[] = [];
    const timer = setInterval(() => {
      const snapshot = rows.getSnapshot();
      if (snapshot.length < totalCards) return;
      samples = addSample(samples, { atMs: performance.now(), lanes: lanesOf(snapshot) });
      setPace(paceOf(samples));
    }, SAMPLE_EVERY_MS);
    return () => {
      clearInterval(timer);
      setPace(UNKNOWN);
    };
  }, [totalCards, status, rows]);
  return pace;
}
