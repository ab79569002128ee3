import { useEffect, useEffectEvent } from "react";
import { isTyping } from "../use-page-keys.ts";

type ScanBursts = {
  /** A scanner typed this outside all fields. */
  onScan: (text: string) => void;
  /** False: characters outside fields do nothing, so that speech input or a stray key can't run a shortcut. */
  hasSingleKeys: boolean;
};

/** Takes the keys that a scanner types outside all fields, before any shortcut sees them. For one place of the page. */
export function useScanBursts({ onScan, hasSingleKeys }: ScanBursts): void {
  const scanned = useEffectEvent(onScan);
  const replayed = useEffectEvent((key: KeyboardEvent): void => {
    if (!hasSingleKeys) return;
    const { target } = key;
    const isThere = target instanceof Element && target.isConnected;
    (isThere ? target : (document.activeElement ?? document.body)).dispatchEvent(new KeyboardEvent(key.type, key));
  });
  const isShortcutOff = useEffectEvent(
    ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
      !hasSingleKeys && key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey,
  );

  useEffect(() => {
    let held: readonly KeyboardEvent[] = [];
    let scannedAt = -Infinity;
    let isReplaying = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = (taken: Taken<KeyboardEvent>): void => {
      clearTimeout(timer);
      held = taken.held;
      isReplaying = true;
      for (const key of taken.replay) replayed(key);
      isReplaying = false;
      if (taken.scan !== null) scanned(taken.scan);
      if (held.length > 0) waitForNextKey(patienceFor(held, performance.now()));
    };
    /** Waits once more if the timer comes late itself. */
    const waitForNextKey = (ms: number, isLast = false): void => {
      const dueAt = performance.now() + ms;
      timer = setTimeout(() => {
        if (isLast || performance.now() - dueAt < USUAL_LATENESS_MS) end();
        else waitForNextKey(ms, true);
      }, ms);
    };
    const end = (): void => {
      const ended = endBurst(held);
      if (ended.scan !== null) scannedAt = held.at(-1)?.timeStamp ?? scannedAt;
      settle(ended);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isReplaying || event.isComposing) return;
      // A field that gets the focus in the middle of a scan must not get the rest of it.
      if (isTyping(event.target) && !isInBurst(held, event)) return end();
      const taken = takeKey(held, event, scannedAt);
      settle(taken);
      if (taken.isTaken) event.preventDefault();
      if (taken.isTaken || isShortcutOff(event)) event.stopPropagation();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    // A click acts on what the keys before it have changed.
    window.addEventListener("pointerdown", end, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      window.removeEventListener("pointerdown", end, { capture: true });
    };
  }, []);
}

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
const USUAL_LATENESS_MS = 40;
const PATIENCE_WITH_SCAN_MS = 300;
const LONGEST_PATIENCE_MS = 1_000;
const SHORTEST_SCAN = 4;

/** What a key does: the keys held from here on, those to replay, a scan that ended, and whether the key is used up. */
type Taken<Key> = { held: readonly Key[]; replay: readonly Key[]; scan: string | null; isTaken: boolean };

function isInBurst<Key extends BurstKey>(held: readonly Key[], key: Key): boolean {
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
