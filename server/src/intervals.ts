/** Polling intervals, deadlines and the limit on event loop lag, in milliseconds. Tests pass shorter ones. */
export const INTERVALS = {
  /** Between checks for rows whose wait has ended. */
  waitingRowsMs: 2_000,
  /** Between checks for runs that need more jobs. */
  backlogsMs: 2_000,
  /** Between writes of the place of a lane. */
  placesMs: 1_000,
  /** Between checks of a paused price source. */
  pausedPricesMs: 1_000,
  /** Between checks for jobs without a notification, which are retries. pg-boss needs 500 or more. */
  jobsMs: 10_000,
  /** Between checks for jobs of dead workers, about 20 statements each. pg-boss needs 1,000 or more. */
  deadJobsMs: 10_000,
  /** Between checks for image comparisons. pg-boss needs 500 or more. */
  imageJobsMs: 2_000,
  /** Between checks for cards whose images are missing. */
  lateImagesMs: 10_000,
  /** Between events of a session. More frequent updates don't help the user. */
  eventsMs: 200,
  /** Between writes of the upstream call log. */
  callLogMs: 1_000,
  /** A card is slow if its calls take longer than this and than two delays. Most calls take less. */
  longCallMs: 2_000,
  /** Between deletions of expired auth sessions. */
  expiredAuthSessionsMs: 86_400_000,
  /** The longest reading of an uploaded sheet. */
  sheetDeadlineMs: 30_000,
  /** Between checks that enough of an upload's body has arrived. */
  slowBodyMs: 10_000,
  /** Between checks that clients read their answers. */
  slowReaderMs: 60_000,
  /** How long a network is blocked after sending what only attackers send. */
  blockMs: 10_000,
  /** Event loop lag from which the server refuses requests as overloaded; 0 disables the check. */
  longestLoopDelayMs: 2_000,
  /** The longest time that a request for data waits for its turn before the server refuses it as overloaded. */
  longestQueueMs: 600,
};
export type Intervals = typeof INTERVALS;
