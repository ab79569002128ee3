import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";

/** A run of three cards that has just started. */
export function aSession(fields: Partial<ScanSession> = {}): ScanSession {
  return {
    id: "session-1",
    sessionName: "dallas-show.csv - Nov 21, 2026",
    csvFilename: "dallas-show.csv",
    totalCards: 3,
    processedCards: 0,
    processingMode: "api-with-fallback",
    includePricing: false,
    status: "processing",
    isPartial: false,
    startedAt: "2026-11-21T10:00:00Z",
    completedAt: null,
    uploadDate: "2026-11-21T10:00:00Z",
    counts: { pending: 3 },
    causes: {},
    waits: [],
    prices: { pending: 0, waiting: 0, waits: [] },
    offerRule: null,
    eventSeq: 1,
    ...fields,
  };
}
