/**
 * A USB scanner types wherever the focus happens to be. What it types is told from a person's keys by its speed and by
 * its digits; only a single letter that stands alone is left to the page's own keys.
 */
export type StrayKeys = { text: string; atMs: number };

/** Scanners send a key every 1 to 30 ms; hardly anybody presses two within this. */
const BURST_MS = 60;

/** What was typed beside the field by now, and whether it belongs into the field. */
export function takeStrayKey(
  before: StrayKeys | null,
  key: string,
  nowMs: number,
): { stray: StrayKeys; isScan: boolean } {
  const isBurst = before !== null && nowMs - before.atMs <= BURST_MS;
  return {
    stray: { text: isBurst ? before.text + key : key, atMs: nowMs },
    isScan: isBurst || /^\d$/.test(key),
  };
}
