import { type RefObject, useEffect, useRef } from "react";

/**
 * Page-wide shortcuts, by the character typed. Disabled while the user types, while a dialog is open, and while `owner`
 * is on a hidden tab.
 */
export function usePageKeys(owner: RefObject<HTMLElement | null>, keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (!owner.current?.checkVisibility() || document.querySelector('[role="dialog"]')) return;
      const action = current.current[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [owner]);
}

/** True if the element accepts text input. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
