import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useMemo, useState } from "react";
import type { RowsStore } from "../../../run/rows-store.ts";
import { addSample, lanesOf, paceOf, type PaceSample } from "../../../run/run-progress.ts";

const SAMPLE_EVERY_MS = 2_000;
const NO_SAMPLES: readonly PaceSample[] = [];

/** Speed, time left and fetched prices, as this tab measures them; unknown at first. The key must be the session's ID. */
export function usePace(session: ScanSession, rows: RowsStore) {
  const [samples, setSamples] = useState(NO_SAMPLES);
  const { totalCards, includePricing } = session;
  // While only failed cards are retried, the rows don't tell which ones run.
  const isGoingOn = (session.status === "processing" && !session.isPartial) || session.prices.pending > 0;
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(() => {
      const snapshot = rows.getSnapshot();
      if (snapshot.length < totalCards) return;
      const sample = { atMs: performance.now(), lanes: lanesOf(snapshot, includePricing) };
      setSamples((before) => addSample(before, sample));
    }, SAMPLE_EVERY_MS);
    return () => {
      clearInterval(timer);
      setSamples(NO_SAMPLES);
    };
  }, [totalCards, includePricing, isGoingOn, rows]);
  const lanes = samples.at(-1)?.lanes;
  const fetchedPrices = lanes ? PRICE_SOURCES.reduce((sum, source) => sum + lanes[source].settled, 0) : 0;
  return { pace: useMemo(() => paceOf(samples), [samples]), fetchedPrices };
}
