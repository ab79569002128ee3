import type { Source, SourceEndpoint } from "@slabdesk/contract/api/sources.ts";

/** An open endpoint without special state. */
export function aEndpoint(fields: Partial<SourceEndpoint> = {}): SourceEndpoint {
  return {
    name: "psa-api",
    title: "API",
    state: "open",
    since: null,
    until: null,
    message: null,
    callsToday: 0,
    successRate: null,
    p50Ms: null,
    p95Ms: null,
    ...fields,
  };
}

/** PSA, open, with one endpoint and default values. */
export function aSource(fields: Partial<Source> = {}): Source {
  return {
    name: "psa",
    title: "PSA",
    state: "open",
    manualPause: null,
    endpoints: [aEndpoint()],
    callsToday: 0,
    successRate: null,
    p50Ms: null,
    p95Ms: null,
    quota: null,
    byPerson: [],
    cacheHitRate: null,
    waitingRows: 0,
    refusals: [],
    forecast: null,
    terms: "What PSA allows.",
    permission: "A token of your own.",
    canTest: false,
    credentials: { fields: [], entered: null, problem: null },
    ...fields,
  };
}
