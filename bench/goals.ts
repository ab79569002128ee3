export type Goal = {
  /** In version 0.1, measured on another machine with two cores; null if it was not measured. */
  before: number | null;
  goal: number;
  /** Whether more is better. Otherwise less is. */
  isMore?: true;
};

/** What people wait for, and how long they should. */
export const GOALS = {
  "kB of scripts and styles until the sign-in page": { before: 399, goal: 140 },
  "kB of scripts until the Scanner": { before: 347, goal: 200 },
  "kB of styles until the Scanner": { before: 52, goal: 20 },
  "seconds to store 100000 new rows": { before: 7.8, goal: 3 },
  "seconds to store 100000 cached rows": { before: 13.4, goal: 4 },
  "seconds to read 100000 rows": { before: 14.7, goal: 5 },
  "CSV against COPY": { before: null, goal: 0.5, isMore: true },
  "XLSX rows per second": { before: 6_800, goal: 15_000, isMore: true },
  "cards against a fetch loop": { before: 0.55, goal: 0.9, isMore: true },
  "cost per card of 100000 rows against 1000": { before: null, goal: 1.1 },
  "ms until 500 open tables show a card": { before: 861, goal: 300 },
  "profiles per second": { before: 291, goal: 1_200, isMore: true },
  "lists of sessions per second": { before: 221, goal: 800, isMore: true },
  "pages of 100 rows per second": { before: 71, goal: 300, isMore: true },
  "searches per second": { before: 100, goal: 500, isMore: true },
  "ms of an office's slowest 1 % of requests": { before: 35_000, goal: 150 },
  "ms until the slowest 503 under overload": { before: null, goal: 1_000 },
  "% of frames in time": { before: null, goal: 95, isMore: true },
  "ms until Find answers": { before: null, goal: 50 },
  "ms of the slowest 5 % of searches among a million rows": { before: 11.8, goal: 15 },
  "statements per second of an idle node": { before: 35, goal: 5 },
  "seconds of a later start": { before: 2.3, goal: 1.5 },
  "MB of a node at rest": { before: null, goal: 180 },
} as const satisfies Record<string, Goal>;
