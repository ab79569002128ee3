import { type RefObject, useEffect, useRef } from "react";

/**
 * Keys that work anywhere on the page, by the character they type. Not while something is being typed, not under a
 * dialog, and not while `owner` is on a tab that is not shown.
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

/** True for what takes letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
