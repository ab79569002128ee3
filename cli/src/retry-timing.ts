const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A server that asks for more is asked again after this long all the same. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * How long to wait before the next try. Without a wish of the server the waits double, and chance spreads them, so that
 * a server that comes back is not met by everybody at once.
 *
 * @param tries how many have failed in a row, 1 or more
 * @param random 0 to 1
 */
export function waitBeforeTryMs(tries: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) + random * FIRST_WAIT_MS;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  return wait * (0.5 + random / 2);
}

/** A `Retry-After` header: seconds or a date. Null when there is none, or none that can be read. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
