/**
 * A USB scanner types wherever the focus is. Its input differs from a person's by its speed and its digits. Only a
 * single letter on its own is left to the page's shortcuts.
 */
export type StrayKeys = { text: string; atMs: number };

/** Scanners send a key every 1 to 30 ms; people rarely type two keys within this time. */
const BURST_MS = 60;

/** The keys typed outside the field so far, and whether they belong in the field. */
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
