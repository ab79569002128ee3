/**
 * How often the server looks for work that nothing announces, and how long it may be late, in milliseconds. Each is a
 * compromise between a prompt server and a calm database. Tests pass their own, so that they wait for events and not for
 * clocks, and pass on slow machines.
 */
export type Intervals = {
  /** From one check for rows whose wait is over to the next. */
  waitingRowsMs: number;
  /** From one check of a paused price source to the next. */
  pausedPricesMs: number;
  /** From one check for jobs that came without a notification to the next; pg-boss takes 500 at least. */
  jobsMs: number;
  /** From one look for jobs whose worker has died to the next; pg-boss takes 1,000 at least. */
  deadJobsMs: number;
  /** From one batch of picture comparisons to the next; pg-boss takes 500 at least. */
  pictureJobsMs: number;
  /** From one event of a session to the next; a table that redraws faster helps nobody. */
  eventsMs: number;
  /** From one write of the upstream call log to the next. */
  callLogMs: number;
  /** When its event loop is later than this, the server refuses requests as overloaded; 0 for never. */
  longestLoopDelayMs: number;
};

export const INTERVALS: Intervals = {
  waitingRowsMs: 1_000,
  pausedPricesMs: 1_000,
  jobsMs: 1_000,
  deadJobsMs: 1_000,
  pictureJobsMs: 1_000,
  eventsMs: 200,
  callLogMs: 1_000,
  longestLoopDelayMs: 2_000,
};
