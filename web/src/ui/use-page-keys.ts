import { useWindowEvent } from "@mantine/hooks";
import type { RefObject } from "react";

/** Page-wide shortcuts by character. Off while the user types, a dialog is open, or `owner` is on a hidden tab. */
export function usePageKeys(owner: RefObject<HTMLElement | null>, keys: Readonly<Record<string, () => void>>): void {
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!owner.current?.checkVisibility() || document.querySelector('[role="dialog"]')) return;
    const action = keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** True if the element accepts text input. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

/** True in a control that a press, Enter or Space activates. */
export const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("a, button, summary, input") !== null;
