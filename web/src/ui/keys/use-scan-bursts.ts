import { useEffect, useEffectEvent } from "react";
import { endBurst, isInBurst, patienceFor, type Taken, takeKey, USUAL_LATENESS_MS } from "./scan-bursts.ts";
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
