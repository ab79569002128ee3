const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** The longest wait, even if the server asks for more. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * The wait before the next try. Without a `Retry-After` header, the wait doubles each time. Random jitter keeps clients
 * from retrying at the same moment.
 *
 * @param tries the number of failed tries in a row, at least 1
 * @param random 0 to 1
 */
export function waitBeforeTryMs(tries: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) + random * FIRST_WAIT_MS;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  return wait * (0.5 + random / 2);
}

/** Parses a `Retry-After` header in seconds or as a date. Null if it is missing or invalid. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
