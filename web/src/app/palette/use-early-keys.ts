import { useEffect, useEffectEvent } from "react";

/** The palette's input. Until it has the focus, the open palette takes the keys from the page. */
export const PALETTE_INPUT_ID = "palette-input";

/** Passes on what is typed between opening the palette and its input's focus, so that no letter runs a shortcut. */
export function useEarlyKeys(isOpen: boolean, onText: (text: string) => void, onClose: () => void): void {
  const take = useEffectEvent((event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (!isOpen || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.id === PALETTE_INPUT_ID) return;
    if (key.length === 1) onText(key);
    else if (key === "Escape") onClose();
    else if (key !== "Enter") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => take(event);
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}
