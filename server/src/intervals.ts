/**
 * Polling intervals and the limit on event loop lag, in milliseconds. They balance response time against database load.
 * Tests pass their own values, so that they wait for events instead of clocks and pass on slow machines.
 */
export type Intervals = {
  /** Between checks for rows whose wait has ended. */
  waitingRowsMs: number;
  /** Between checks of a paused price source. */
  pausedPricesMs: number;
  /** Between checks for jobs without a notification. pg-boss needs 500 or more. */
  jobsMs: number;
  /** Between checks for jobs of dead workers. pg-boss needs 1,000 or more. */
  deadJobsMs: number;
  /** Between batches of picture comparisons. pg-boss needs 500 or more. */
  pictureJobsMs: number;
  /** Between events of a session. More frequent updates don't help the user. */
  eventsMs: number;
  /** Between writes of the upstream call log. */
  callLogMs: number;
  /** Event loop lag from which the server refuses requests as overloaded; 0 disables the check. */
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
