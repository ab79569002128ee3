/**
 * A USB scanner types wherever the focus is, and differs from a person by its speed. The first letter of a scan must
 * not run a shortcut, so each letter and digit is held until the next key tells what it belongs to:
 *
 * - A key within `BURST_MS` continues the burst.
 * - A pause or any other key ends it. Four characters are a scan. Fewer were typed by a person, and are replayed.
 */
export type BurstKey = Pick<KeyboardEvent, "key" | "timeStamp" | "repeat" | "ctrlKey" | "metaKey" | "altKey">;

/** Scanners send a key every 1 to 30 ms; people rarely type two keys within this time. */
const BURST_MS = 60;
/** From the key press to the page, on a machine that isn't busy. */
export const USUAL_LATENESS_MS = 40;
const PATIENCE_WITH_SCAN_MS = 300;
const LONGEST_PATIENCE_MS = 1_000;
const SHORTEST_SCAN = 4;

/** What a key does: the keys held from here on, those to replay, a scan that ended, and whether the key is used up. */
export type Taken<Key> = { held: readonly Key[]; replay: readonly Key[]; scan: string | null; isTaken: boolean };

export function isInBurst<Key extends BurstKey>(held: readonly Key[], key: Key): boolean {
  const last = held.at(-1);
  return last !== undefined && key.timeStamp - last.timeStamp <= BURST_MS && !key.repeat;
}

/** @param scannedAt - the timestamp of the last key of the last scan that ended by a pause */
export function takeKey<Key extends BurstKey>(held: readonly Key[], key: Key, scannedAt = -Infinity): Taken<Key> {
  // A scanner presses Shift for each capital letter.
  if (key.key === "Shift") return { held, replay: [], scan: null, isTaken: false };
  const isEnterOfScan = key.key === "Enter" && key.timeStamp - scannedAt <= BURST_MS;
  if (held.length === 0 && isEnterOfScan) return { held, replay: [], scan: null, isTaken: true };
  const isBurst = isInBurst(held, key);
  const isCharacter = key.key.length === 1 && !key.ctrlKey && !key.metaKey && !key.altKey;
  if (isBurst && isCharacter) return { held: [...held, key], replay: [], scan: null, isTaken: true };
  const ended = endBurst(held);
  if (isBurst && key.key === "Enter" && ended.scan !== null) return { ...ended, isTaken: true };
  if (isCharacter && !key.repeat && /[\dA-Za-z]/.test(key.key)) return { ...ended, held: [key], isTaken: true };
  return ended;
}

/**
 * How many milliseconds to wait for the next key. A busy machine delivers keys late, so the wait grows with the delay of
 * the last key. Otherwise, the first letter of a scan would be taken for a shortcut. Keys that are a scan already can
 * wait longer, because no person waits for a shortcut.
 */
export function patienceFor(held: readonly Pick<BurstKey, "timeStamp">[], now: number): number {
  const lateness = Math.max(0, now - (held.at(-1)?.timeStamp ?? now) - USUAL_LATENESS_MS);
  const shortest = held.length >= SHORTEST_SCAN ? PATIENCE_WITH_SCAN_MS : BURST_MS + USUAL_LATENESS_MS;
  return Math.min(shortest + 5 * lateness, LONGEST_PATIENCE_MS);
}

export function endBurst<Key extends BurstKey>(held: readonly Key[]): Taken<Key> {
  const isScan = held.length >= SHORTEST_SCAN;
  const scan = isScan ? held.map(({ key }) => key).join("") : null;
  return { held: [], replay: isScan ? [] : held, scan, isTaken: false };
}
