import type { Source, SourceDoor } from "@slabdesk/contract/api/sources.ts";

/** A door that is asked as usual. */
export function aDoor(fields: Partial<SourceDoor> = {}): SourceDoor {
  return {
    name: "psa-api",
    title: "API",
    state: "open",
    since: null,
    until: null,
    words: null,
    callsToday: 0,
    successRate: null,
    p50Ms: null,
    p95Ms: null,
    ...fields,
  };
}

/** PSA, open, with one door and nothing special about it. */
export function aSource(fields: Partial<Source> = {}): Source {
  return {
    name: "psa",
    title: "PSA",
    state: "open",
    held: null,
    doors: [aDoor()],
    callsToday: 0,
    successRate: null,
    p50Ms: null,
    p95Ms: null,
    quota: null,
    byPerson: [],
    cacheHitRate: null,
    waitingRows: 0,
    forecast: null,
    terms: "What PSA allows.",
    permission: "A token of your own.",
    canTest: false,
    ...fields,
  };
}
